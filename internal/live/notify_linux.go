package live

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func newNotifier() (notifier, error) {
	n, err := newInotify()
	if err != nil {
		return nil, err // and not an inotify that is nil
	}
	return n, nil
}

// inotify is the notifier of Linux. The kernel itself gathers changes: they are not
// read before Drain.
type inotify struct {
	fd     int
	file   *os.File // the same, whose reads can wait
	raw    syscall.RawConn
	dirs   map[int32]string // by watch
	watch  map[string]int32 // by directory
	buffer []byte
	got    int // bytes in it that were read by wait
	lost   bool

	ready  chan struct{}
	listen chan struct{}
	closed chan struct{}
	done   chan struct{}
}

const inotifyMask = syscall.IN_CREATE | syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_DELETE | syscall.IN_MOVED_FROM |
	syscall.IN_MOVED_TO | syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF | syscall.IN_ONLYDIR

func newInotify() (*inotify, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	n := &inotify{
		fd: fd, file: os.NewFile(uintptr(fd), "inotify"), dirs: map[int32]string{}, watch: map[string]int32{}, buffer: make([]byte, 64<<10),
		ready: make(chan struct{}), listen: make(chan struct{}, 1), closed: make(chan struct{}), done: make(chan struct{}),
	}
	if n.raw, err = n.file.SyscallConn(); err != nil {
		n.file.Close()
		return nil, err
	}
	go n.wait()
	return n, nil
}

// wait says that there is something, and then waits until it is to listen again.
// Until then the buffer is not its own.
func (n *inotify) wait() {
	defer close(n.done)
	for n.read(true) {
		select {
		case n.ready <- struct{}{}:
		case <-n.closed:
			return
		}
		select {
		case <-n.listen:
		case <-n.closed:
			return
		}
	}
}

// read fills the buffer with what there is, and waits for something if it may. It
// reports false if there was nothing, or never will be.
func (n *inotify) read(wait bool) bool {
	var problem error
	err := n.raw.Read(func(fd uintptr) bool {
		for {
			n.got, problem = syscall.Read(int(fd), n.buffer)
			if !errors.Is(problem, syscall.EINTR) {
				return !wait || !errors.Is(problem, syscall.EAGAIN)
			}
		}
	})
	if err != nil || problem != nil {
		n.got = 0
	}
	return n.got > 0
}

func (n *inotify) Ready() <-chan struct{} { return n.ready }

func (n *inotify) Listen() { n.listen <- struct{}{} }

func (n *inotify) Drain(give func(change)) (lost bool) {
	for more := true; more; more = n.read(false) {
		n.parse(n.buffer[:n.got], give)
	}
	lost, n.lost = n.lost, false
	return lost
}

// parse gives the changes that the system wrote into a buffer.
func (n *inotify) parse(b []byte, give func(change)) {
	last := change{}
	for len(b) >= syscall.SizeofInotifyEvent {
		id, mask := int32(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint32(b[4:])
		end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
		name := strings.TrimRight(string(b[syscall.SizeofInotifyEvent:end]), "\x00")
		b = b[end:]
		if mask&syscall.IN_Q_OVERFLOW != 0 {
			n.lost = true
			continue
		}
		dir, ok := n.dirs[id]
		if !ok {
			continue // it is not watched any more
		}
		c := change{dir, mask&(syscall.IN_DELETE|syscall.IN_MOVED_FROM|syscall.IN_DELETE_SELF|syscall.IN_MOVE_SELF) != 0}
		switch {
		case mask&syscall.IN_MOVE_SELF != 0:
			_ = n.Remove(dir) // what is there by that name is another one
		case mask&syscall.IN_IGNORED != 0:
			n.forget(id, dir)
			continue
		case name != "":
			c.path = filepath.Join(dir, name)
		}
		if c != last { // the kernel reports every write to a file
			give(c)
		}
		last = c
	}
}

func (n *inotify) Add(dir string) error {
	id, err := syscall.InotifyAddWatch(n.fd, dir, inotifyMask)
	if err != nil {
		return &fs.PathError{Op: "inotify_add_watch", Path: dir, Err: err}
	}
	n.dirs[int32(id)], n.watch[dir] = dir, int32(id)
	return nil
}

func (n *inotify) Remove(dir string) error {
	id, ok := n.watch[dir]
	if !ok {
		return fs.ErrNotExist
	}
	n.forget(id, dir)
	_, err := syscall.InotifyRmWatch(n.fd, uint32(id))
	return err
}

func (n *inotify) forget(id int32, dir string) {
	delete(n.dirs, id)
	if n.watch[dir] == id {
		delete(n.watch, dir)
	}
}

func (n *inotify) Close() {
	close(n.closed)
	n.file.Close()
	<-n.done
}
