package live

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestNotifier holds what a notifier promises, for that of this system and for the
// one of all others.
func TestNotifier(t *testing.T) {
	relayed := func() (notifier, error) { return newRelay() }
	for name, open := range map[string]func() (notifier, error){"system": newNotifier, "relay": relayed} {
		t.Run(name, func(t *testing.T) {
			n, err := open()
			if err != nil {
				t.Fatal(err)
			}
			x := &notified{T: t, notifier: n, dir: t.TempDir()}
			defer n.Close()
			x.promises()
		})
	}
}

// notified is a notifier that a test asks.
type notified struct {
	*testing.T
	notifier
	dir string
}

func (x *notified) promises() {
	sub := filepath.Join(x.dir, "sub")
	x.must(os.Mkdir(sub, 0o700))
	x.must(x.Add(x.dir))
	x.must(x.Add(sub))
	if x.Add(filepath.Join(x.dir, "none")) == nil {
		x.Error("what is not there is watched")
	}
	x.write("a")
	x.awaitReady()
	x.write("b")
	x.write("sub/c")
	x.awaitTaken(change{path: "a"}, change{path: "b"}, change{path: "sub/c"})

	x.write("a")
	select {
	case <-x.Ready():
		x.Error("it says more than once that there is something")
	case <-time.After(20 * time.Millisecond): // a chance to be wrong: being late cannot fail
	}
	x.Listen()
	x.awaitReady()
	x.awaitTaken(change{path: "a"})

	x.must(os.Remove(filepath.Join(x.dir, "b")))
	x.awaitTaken(change{"b", true})

	// Another directory by the same name has no watch, and can get one.
	x.must(os.Rename(sub, sub+"-away"))
	x.awaitTaken(change{"sub", true})
	x.must(os.Mkdir(sub, 0o700))
	x.must(x.Add(sub))
	x.write("sub/d")
	x.awaitTaken(change{path: "sub/d"})
	x.must(os.RemoveAll(sub))
	x.awaitTaken(change{"sub/d", true}, change{"sub", true})

	x.must(x.Remove(x.dir))
	x.write("e")
	x.Drain(func(c change) {
		if c.path == filepath.Join(x.dir, "e") {
			x.Error("a directory without a watch is told of")
		}
	})
}

func (x *notified) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *notified) write(name string) {
	x.Helper()
	x.must(os.WriteFile(filepath.Join(x.dir, filepath.FromSlash(name)), []byte(name), 0o600))
}

func (x *notified) awaitReady() {
	x.Helper()
	select {
	case <-x.Ready():
	case <-time.After(time.Minute):
		x.Fatal("it never says that there is something")
	}
}

// awaitTaken takes changes until these were among them. Some systems need a moment.
func (x *notified) awaitTaken(want ...change) {
	x.Helper()
	left := map[change]bool{}
	for _, c := range want {
		left[change{filepath.Join(x.dir, filepath.FromSlash(c.path)), c.gone}] = true
	}
	for end := time.Now().Add(time.Minute); len(left) > 0; time.Sleep(time.Millisecond) {
		if x.Drain(func(c change) { delete(left, c) }) {
			x.Error("some were lost")
		}
		if time.Now().After(end) {
			x.Fatalf("never told: %v", left)
		}
	}
}
