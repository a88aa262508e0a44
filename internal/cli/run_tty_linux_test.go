package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// seat is a person at a terminal on which a command runs.
type seat struct {
	t      *testing.T
	master *os.File
	shown  chan []byte
	all    bytes.Buffer
	end    chan error
}

func (h *household) sit(args ...string) *seat {
	h.t.Helper()
	cmd := h.command(args...)
	cmd.Env = append(cmd.Env, "TERM=xterm")
	master, err := pty.Start(cmd)
	if err != nil {
		h.t.Skip("no pseudo-terminal:", err)
	}
	s := &seat{t: h.t, master: master, shown: make(chan []byte), end: make(chan error, 1)}
	go func() {
		defer close(s.shown)
		for {
			data := make([]byte, 4096)
			n, err := master.Read(data)
			if err != nil {
				return // the other side is closed
			}
			s.shown <- data[:n]
		}
	}()
	go func() { s.end <- cmd.Wait() }()
	h.t.Cleanup(func() { _ = master.Close() })
	return s
}

// see waits until something stands on the terminal so often.
func (s *seat) see(text string, times int) {
	s.t.Helper()
	late := time.After(30 * time.Second)
	for strings.Count(s.all.String(), text) < times {
		select {
		case data, ok := <-s.shown:
			if !ok {
				s.t.Fatalf("no %q in:\n%s", text, s.all.String())
			}
			s.all.Write(data)
		case <-late:
			s.t.Fatalf("no %q in:\n%s", text, s.all.String())
		}
	}
}

func (s *seat) types(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.master, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the end of the command.
func (s *seat) ends() error {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case data, ok := <-s.shown:
			if !ok {
				return <-s.end
			}
			s.all.Write(data)
		case <-late:
			s.t.Fatalf("it goes on:\n%s", s.all.String())
		}
	}
}

// On a terminal a run asks there, shows the whole input, and takes the answer. What was
// typed before it asked allows nothing.
func TestRunAsks(t *testing.T) {
	h := newHousehold(t)
	file := func(name string) string { return filepath.Join(h.dir, "work", name) }
	there := func(name string) bool {
		_, err := os.Stat(file(name))
		return err == nil
	}

	s := h.sit("run", "start", "[sleep:300][write:a.txt]")
	s.types("y") // before anything was asked
	s.see("Allow? [y: once", 2)
	s.see("that was typed before you could read it", 1)
	if there("a.txt") {
		t.Fatal("what was typed before the question allowed")
	}
	s.see(`"file_path": "`+file("a.txt")+`"`, 1)
	time.Sleep(500 * time.Millisecond) // what is typed sooner allows nothing
	s.types("perhaps")
	s.see("Allow? [y: once", 3)
	s.types("y")
	if err := s.ends(); err != nil || !there("a.txt") {
		t.Errorf("allowed: %v\n%s", err, s.all.String())
	}

	s = h.sit("run", "start", "[write:b.txt]")
	s.see("Allow? [y: once", 1)
	s.types("n use another name")
	if err := s.ends(); err != nil || there("b.txt") {
		t.Errorf("denied: %v\n%s", err, s.all.String())
	}
	log := h.sesskeep("log")
	if !strings.Contains(log, "inbox allow") || !strings.Contains(log, "inbox deny") {
		t.Errorf("the journal has not both: %s", log)
	}

	s = h.sit("run", "start", "[ask]")
	s.see("or your own words; n: no answer]", 1) // the call itself is shown before, and no question yet
	time.Sleep(500 * time.Millisecond)           // what is typed sooner allows nothing
	s.types("2")
	if err := s.ends(); err != nil {
		t.Errorf("answered: %v\n%s", err, s.all.String())
	}
	if !strings.Contains(s.all.String(), "Blue") {
		t.Errorf("%s", s.all.String())
	}
}

// Several questions are asked one after another, on the terminal of the run and by
// "inbox allow". An answer that does not fit is asked for again; nothing of that denies.
func TestRunAsksSeveral(t *testing.T) {
	h := newHousehold(t)
	s := h.sit("run", "start", "[questions]")
	s.see("Which colour? [1 to 2, or your own words; n: no answer]", 1)
	if text := s.all.String(); strings.Contains(text, `"questions"`) || !strings.Contains(text, "2 of 2: Size: Which sizes?") || !strings.Contains(text, "3 L: about L") {
		t.Errorf("not to be read:\n%s", text)
	}
	time.Sleep(500 * time.Millisecond)
	s.types("9")
	s.see("there is no option 9", 1)
	s.see("Which colour? [", 2)
	s.types("a colour of my own")
	s.see("Which sizes? [1 to 3, several with commas, or your own words; n: no answer]", 1)
	s.types("1,3")
	s.see("it is a colour of my own in S, L", 1)
	if err := s.ends(); err != nil {
		t.Errorf("answered: %v\n%s", err, s.all.String())
	}

	id := strings.TrimSpace(h.sesskeep("run", "start", "--detach", "[questions]"))
	var prompt string
	for end := time.Now().Add(time.Minute); prompt == "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		prompt = strings.TrimSpace(h.sesskeep("inbox", "ls", "--jq", ".prompts[].id"))
	}
	if prompt == "" {
		t.Fatal("nothing is asked")
	}
	s = h.sit("inbox", "allow", prompt)
	s.see("Which colour? [", 1)
	s.types("2")
	s.see("Which sizes? [", 1)
	s.types("2")
	if err := s.ends(); err != nil {
		t.Errorf("answered: %v\n%s", err, s.all.String())
	}
	h.untilShown(id, "your turn")
	if text := h.sesskeep("run", "show", id, "--jq", ".text"); !strings.Contains(text, "it is Blue in M") {
		t.Errorf("%s", text)
	}
	h.sesskeep("run", "stop", id)
}
