//go:build amd64 || arm64

package readfault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrUnable says that this machine has no filters that ask.
var ErrUnable = errors.New("the kernel does not let a program ask about the calls of another")

// An Order is a program to run and a fault to run it with.
type Order struct {
	Launcher string   // a program that calls Launch when its name is "readfault"
	Args     []string // of the program, which comes first
	Env      []string
	Dir      string
	Stdin    string
	Below    string // only sites below this directory count
	Fault    Site
	Watch    bool // see every site; else only calls of the fault's kind are asked about
}

// asked is the kind of calls that the filter of an order asks about: all, one or none.
func (o Order) asked() string {
	switch {
	case o.Watch:
		return askAll
	case o.Fault.Call == NoFault:
		return askNone
	}
	return string(o.Fault.Call)
}

// A Result is what a program that ran gave.
type Result struct {
	Stdout, Stderr string
	Exit           int
	Sites          []Site // sorted; of an order that watches
	Hits           int    // calls that were made to fail
}

// Run runs a program until it and all that it started have ended.
func Run(ctx context.Context, o Order) (Result, error) {
	ours, theirs, err := pair()
	if err != nil {
		return Result{}, err
	}
	defer ours.Close()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, o.Launcher)
	cmd.Args = append([]string{"readfault", o.asked()}, o.Args...)
	cmd.Env, cmd.Dir = o.Env, o.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(o.Stdin), &stdout, &stderr
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.WaitDelay = time.Second // what was started in the background may keep the streams
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return Result{}, err
	}
	listener, err := receive(ours)
	if err != nil {
		_ = cmd.Wait()
		return Result{}, fmt.Errorf("%w: %v: %s", ErrUnable, err, &stderr)
	}
	s := supervisor{listener: listener, below: o.Below, fault: o.Fault, seen: map[Site]bool{}}
	done := make(chan error)
	go func() { done <- s.serve(ctx) }()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	err = errors.Join(err, <-done, ctx.Err())
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode(), Sites: s.sites(), Hits: s.hits}, err
}

func pair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs"), nil
}

// receive waits for the launcher's listener.
func receive(ours *os.File) (int, error) {
	room := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(ours.Fd()), make([]byte, 1), room, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return 0, err
	}
	messages, err := unix.ParseSocketControlMessage(room[:n])
	if err != nil || len(messages) == 0 {
		return 0, errors.Join(err, errors.New("no listener came"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return fds[0], nil
}

// A supervisor answers for the listener, one call after the other.
type supervisor struct {
	listener int
	below    string
	fault    Site
	seen     map[Site]bool
	hits     int
}

// notice and answer are seccomp_notif and seccomp_notif_resp of the kernel.
type notice struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type answer struct {
	id    uint64
	val   int64
	err   int32
	flags uint32
}

// serve answers until the program and its children are gone.
func (s *supervisor) serve(ctx context.Context) error {
	defer unix.Close(s.listener)
	// Faster where the kernel can do it, else the same.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	for ctx.Err() == nil {
		polled := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		if n, err := unix.Poll(polled, 100); n == 0 || err == unix.EINTR {
			continue
		} else if err != nil {
			return fmt.Errorf("wait for a call: %w", err)
		}
		if polled[0].Revents&unix.POLLIN == 0 {
			return nil // no process is left
		}
		if err := s.one(); err != nil {
			return err
		}
	}
	return nil
}

func (s *supervisor) one() error {
	var n notice
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n)))
	switch errno {
	case 0:
	case unix.ENOENT, unix.EINTR:
		return nil // the call was interrupted, and comes again
	default:
		return fmt.Errorf("receive a call: %w", errno)
	}
	a := answer{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if s.fails(&n) {
		a = answer{id: n.id, err: -int32(unix.EIO)}
	}
	_, _, errno = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	if errno != 0 && errno != unix.ENOENT {
		return fmt.Errorf("answer a call: %w", errno)
	}
	return nil
}

// fails notes the site of a call, and whether it is the one that fails.
func (s *supervisor) fails(n *notice) bool {
	shape := calls[int(n.nr)]
	path := shape.target(n)
	if path != s.below && !strings.HasPrefix(path, s.below+"/") {
		return false
	}
	site := Site{shape.call, path}
	s.seen[site] = true
	if site != s.fault {
		return false
	}
	s.hits++
	return true
}

func (s *supervisor) sites() []Site {
	var list []Site
	for site := range s.seen {
		list = append(list, site)
	}
	slices.SortFunc(list, func(a, b Site) int {
		return strings.Compare(a.Path+"\x00"+string(a.Call), b.Path+"\x00"+string(b.Call))
	})
	return list
}

// target is the path that a call is about, absolute; "": unknown.
func (sh shape) target(n *notice) string {
	name := ""
	if sh.path >= 0 {
		name = text(int(n.pid), n.args[sh.path])
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	link := fmt.Sprintf("/proc/%d/cwd", n.pid)
	if sh.dir >= 0 && int32(n.args[sh.dir]) != unix.AT_FDCWD {
		link = "/proc/" + strconv.Itoa(int(n.pid)) + "/fd/" + strconv.Itoa(int(int32(n.args[sh.dir])))
	}
	dir, err := os.Readlink(link)
	if err != nil || !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(strings.TrimSuffix(dir, " (deleted)"), name)
}

// text is what the program has at an address, up to the first zero.
func text(pid int, at uint64) string {
	if at == 0 {
		return ""
	}
	page := uint64(os.Getpagesize())
	var all []byte
	for len(all) < unix.PathMax {
		room := make([]byte, page-at%page) // not beyond what is surely there
		local := []unix.Iovec{{Base: &room[0], Len: uint64(len(room))}}
		remote := []unix.RemoteIovec{{Base: uintptr(at), Len: len(room)}}
		n, err := unix.ProcessVMReadv(pid, local, remote, 0)
		if err != nil || n == 0 {
			return ""
		}
		if end := bytes.IndexByte(room[:n], 0); end >= 0 {
			return string(append(all, room[:end]...))
		}
		all = append(all, room[:n]...)
		at += uint64(n)
	}
	return ""
}
