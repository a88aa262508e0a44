package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// spawned are the programs that scripts run beside themselves, by script and
// name.
var spawned sync.Map

type beside struct {
	*exec.Cmd
	done chan struct{}
	err  error
}

// spawn starts sesskeep beside the script: spawn NAME ARG…. What it writes goes
// to NAME.out and NAME.err, its number to $NAME_pid.
func spawn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: spawn NAME ARG…")
	}
	self, err := os.Executable()
	ts.Check(err)
	name := args[0]
	p := &beside{Cmd: exec.Command(self, args[1:]...), done: make(chan struct{})}
	p.Args[0] = "sesskeep" // the test binary then is sesskeep
	p.Dir = ts.MkAbs(".")
	p.Env = []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	for _, v := range []string{"HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "NOW", "TZ", "PATH", "WORK", "COLUMNS"} {
		p.Env = append(p.Env, v+"="+ts.Getenv(v))
	}
	stdout, err := os.Create(ts.MkAbs(name + ".out"))
	ts.Check(err)
	stderr, err := os.Create(ts.MkAbs(name + ".err"))
	ts.Check(err)
	p.Stdout, p.Stderr = stdout, stderr
	ts.Check(p.Start())
	stdout.Close()
	stderr.Close()
	go func() {
		p.err = p.Wait()
		close(p.done)
	}()
	ts.Setenv(name+"_pid", strconv.Itoa(p.Process.Pid))
	spawned.Store(ts.MkAbs(name), p)
	ts.Defer(func() {
		_ = p.Process.Kill()
		<-p.done
	})
}

// scriptPatience is how long a script waits for something to happen.
const scriptPatience = time.Minute

// await waits until a file says something: await FILE REGEXP.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE REGEXP")
	}
	want := regexp.MustCompile("(?m)" + args[1])
	var text []byte
	for end := time.Now().Add(scriptPatience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, _ = os.ReadFile(ts.MkAbs(args[0]))
		if want.Match(text) {
			return
		}
	}
	ts.Fatalf("%s never said %q, but:\n%s", args[0], args[1], text)
}

// finish waits for a spawned program to end and checks its exit code: finish
// NAME CODE. A code of 130 interrupts it first.
func finish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: finish NAME CODE")
	}
	v, ok := spawned.Load(ts.MkAbs(args[0]))
	if !ok {
		ts.Fatalf("%s was not spawned", args[0])
	}
	p := v.(*beside)
	if args[1] == "130" {
		ts.Check(p.Process.Signal(os.Interrupt))
	}
	select {
	case <-p.done:
	case <-time.After(scriptPatience):
		ts.Fatalf("%s does not end", args[0])
	}
	if got := strconv.Itoa(p.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("%s: exit code %s, want %s: %s", args[0], got, args[1], ts.ReadFile(args[0]+".err"))
	}
}

// client registers a running client, or changes what it registered: client HOME
// PID SESSION STATUS [WAITING-FOR]. The number of the script's own process is
// "self". Like the client it writes in place.
func client(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: client HOME PID SESSION STATUS [WAITING-FOR]")
	}
	pid := args[1]
	if pid == "self" {
		pid = strconv.Itoa(os.Getpid())
	}
	var b bytes.Buffer
	now := time.Now().UnixMilli()
	fmt.Fprintf(&b, `{"pid":%s,"sessionId":%q,"cwd":"/w/app","startedAt":%d,"kind":"interactive","entrypoint":"cli",`, pid, args[2], now)
	fmt.Fprintf(&b, `"name":"app-1f","nameSource":"derived","version":"2.1.325","status":%q,"updatedAt":%d,"statusUpdatedAt":%d`, args[3], now, now)
	if len(args) > 4 {
		fmt.Fprintf(&b, `,"waitingFor":%q`, args[4])
	}
	b.WriteByte('}')
	dir := filepath.Join(ts.MkAbs(args[0]), "sessions")
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, pid+".json"), b.Bytes(), 0o600))
}
