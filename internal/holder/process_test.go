//go:build unix

package holder_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
)

// spawn starts a holder as a process of its own.
func (w *world) spawn(o holder.Order) holder.Run {
	w.t.Helper()
	program, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Setenv("TEST_HOLD", w.store.Dir)
	run, err := holder.Spawn(w.ctx, []string{program}, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { w.endAll() })
	return run
}

// endAll stops what runs, and waits for it.
func (w *world) endAll() {
	for range 1000 {
		list, err := w.store.List(context.Background())
		if err != nil {
			w.t.Error(err)
			return
		}
		living := 0
		for _, r := range list {
			if r.Living() {
				living++
				_, _ = w.store.Ask(context.Background(), r.ID, holder.Request{Do: holder.DoStop, By: "the end"}) // it may have ended
			}
		}
		if living == 0 && w.allReleased(list) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Error("runs do not end")
}

// allReleased reports whether nobody holds one of the runs any more: what has ended
// may still be written.
func (w *world) allReleased(list []holder.Record) bool {
	for _, r := range list {
		l, err := lock.Acquire(filepath.Join(w.store.Dir, r.ID, "held"))
		if err != nil {
			return false
		}
		if err := l.Release(); err != nil {
			w.t.Error(err)
		}
	}
	return true
}

// dumped is how the client was started.
type dumped struct {
	Args, Env []string
	Dir       string
	PID       int
}

func (w *world) dump(file string) (d dumped) {
	w.t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// G-50, G-51, G-56: the client gets exactly the arguments of the closed list, no
// word of the prompt, none of our variables, and its directory.
func TestLaunchedAs(t *testing.T) {
	w := newWorld(t)
	t.Setenv("SESSKEEP_TOKEN", "secret")
	t.Setenv("CLAUDECODE", "1")
	t.Setenv("OTHER", "stays")
	file := filepath.Join(w.dir, "dump.json")
	for _, prompt := range []string{"--settings=/etc/passwd", "-p", "a\nb", "$(touch x)", "'; exit 1 #"} {
		o := w.order(prompt)
		o.Limits.Once = true
		o.Env = append(o.Env, "FAKECLAUDE_DUMP="+file)
		run, done := w.hold(o)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		d := w.dump(file)
		want, err := o.Spec.Argv()
		if err != nil || !slices.Equal(d.Args, want) {
			t.Errorf("%q: %q, want %q", prompt, d.Args, want)
		}
		text := strings.Join(d.Env, "\n")
		if strings.Contains(text, "SESSKEEP_") || strings.Contains(text, "CLAUDECODE") || !strings.Contains(text, "OTHER=stays") {
			t.Errorf("environment:\n%s", text)
		}
		if real, _ := filepath.EvalSymlinks(o.Spec.Dir); d.Dir != real {
			t.Errorf("directory %s, want %s", d.Dir, real)
		}
		if rec, err := w.store.Read(w.ctx, run.ID); err != nil || rec.Text != "You said: "+strings.Join(strings.Fields(prompt), " ") {
			t.Errorf("%q: %q, %v", prompt, rec.Text, err)
		}
	}
}

// The socket and everything beside it are the user's alone.
func TestPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	w := newWorld(t)
	run, _ := w.hold(w.order("[hang]"))
	seen := 0
	err := filepath.WalkDir(filepath.Join(w.store.Dir, run.ID), func(path string, d os.DirEntry, err error) error {
		var info os.FileInfo
		if err == nil {
			info, err = d.Info()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // the holder is at work: a file may go before it is looked at
		case err != nil:
			return err
		case info.Mode().Perm()&0o077 != 0:
			t.Errorf("%s is %v", path, info.Mode())
		}
		seen++
		return nil
	})
	if err != nil || seen < 3 {
		t.Fatalf("%d files seen: %v", seen, err)
	}
}

// gone reports whether a process has ended, and was waited for.
func gone(pid int) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// A holder that is killed leaves a run that is unclean, and no process.
func TestHolderKilled(t *testing.T) {
	for _, prompt := range []string{"[hang]", "[slow:1000]", "[tool:x]", "[deaf]"} {
		w := newWorld(t)
		file := filepath.Join(w.dir, "dump.json")
		o := w.order(prompt)
		o.Env = append(o.Env, "FAKECLAUDE_DUMP="+file)
		run := w.spawn(o)
		w.until(run.ID, func(r holder.Record) bool { return r.Version != "" })
		client := w.dump(file).PID
		if err := syscall.Kill(run.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the holder is a zombie", func() bool { return gone(run.PID) })
		eventually(t, "the client goes on without a holder", func() bool { return gone(client) || zombieOfOthers(client) })
		rec, err := w.store.Read(w.ctx, run.ID)
		if err != nil || rec.State != launch.Unclean || rec.SessionID != o.Spec.Session || rec.Version == "" {
			t.Errorf("%s: %+v, %v", prompt, rec, err)
		}
		if err := w.ask(run.ID, holder.Request{Do: holder.DoStop}); !errors.Is(err, holder.ErrNotHeld) {
			t.Errorf("asked after its end: %v", err)
		}
		if err := w.store.Remove(w.ctx, run.ID); err != nil {
			t.Error(err)
		}
	}
}

// zombieOfOthers reports whether a process has ended, and its new parent, which is
// none of ours, has not yet looked. Containers often have one that never does.
func zombieOfOthers(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	parent, _ := strconv.Atoi(fields[1])
	return fields[0] == "Z" && parent != os.Getpid()
}

// Runs wait for each other, and go in the order they came.
func TestSlots(t *testing.T) {
	w := newWorld(t)
	var runs []holder.Run
	for range 4 {
		o := w.order("[hang]")
		o.Slots = 2
		runs = append(runs, w.spawn(o))
	}
	working := func(r holder.Record) bool { return r.State == launch.Working && r.Version != "" }
	w.until(runs[0].ID, working)
	w.until(runs[1].ID, working)
	for _, run := range runs[2:] {
		if rec, err := w.store.Read(w.ctx, run.ID); err != nil || rec.State != launch.Queued {
			t.Errorf("%s, %v", rec.State, err)
		}
	}
	if err := w.ask(runs[1].ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	w.until(runs[2].ID, working)
	if rec, err := w.store.Read(w.ctx, runs[3].ID); err != nil || rec.State != launch.Queued {
		t.Errorf("%s, %v", rec.State, err)
	}
	if err := w.ask(runs[3].ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	w.until(runs[3].ID, in(launch.Ended))
}

// An answer that is cut off half-way is none; who sends it is let go of.
func TestHalfAnswer(t *testing.T) {
	w := newWorld(t)
	run, _ := w.hold(w.order("[write:x.txt]"))
	p := w.until(run.ID, in(launch.NeedsYou)).Prompts[0]
	whole, err := json.Marshal(holder.Request{Do: holder.DoAnswer, Answer: &launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow}})
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "s")
	if err := os.Symlink(filepath.Join(w.store.Dir, run.ID), short); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, len(whole) / 2, len(whole)} { // the last without its newline
		c, err := net.Dial("unix", filepath.Join(short, "socket"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(whole[:n]); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond)
	if rec := w.until(run.ID, in(launch.NeedsYou)); len(rec.Prompts) != 1 {
		t.Errorf("%+v", rec)
	}
	if err := w.answer(run.ID, p, launch.Deny); err != nil {
		t.Error(err)
	}
}

// TestRandomRuns lets real holders and clients do random things at the same time:
// what was not allowed did not happen, every message has one turn, and nothing is
// left running.
func TestRandomRuns(t *testing.T) {
	n := 6
	if text := os.Getenv("SESSKEEP_RUNS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorld(t)
	for at := 0; at < n; at += 6 {
		var all []*trial
		for seed := at; seed < min(n, at+6); seed++ {
			all = append(all, &trial{w: w, rnd: rand.New(rand.NewPCG(uint64(seed), 200)), name: fmt.Sprintf("f%d", seed)})
		}
		errs := make(chan error)
		for _, tr := range all {
			tr.prepare()
			go func() { errs <- tr.run() }()
		}
		for range all {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if t.Failed() {
			return
		}
	}
	left, err := exec.Command("pgrep", "-f", w.dir).Output()
	if text := strings.TrimSpace(string(left)); err == nil && text != "" {
		t.Errorf("left running: %s", text)
	}
}

// trial is one run that random things are done to.
type trial struct {
	w       *world
	rnd     *rand.Rand
	name    string
	order   holder.Order
	id      string
	allowed map[string]bool // files that were allowed to be written
	asked   map[string]string
	sent    int
}

func (tr *trial) prepare() {
	tr.allowed, tr.asked = map[string]bool{}, map[string]string{}
	tr.order = tr.w.order(tr.prompt(0))
	tr.order.Limits = launch.Limits{Answer: 300 * time.Millisecond, Grace: 500 * time.Millisecond}
	tr.sent = 1
	tr.id = tr.w.spawn(tr.order).ID
}

func (tr *trial) prompt(n int) string {
	words := []string{"[slow:5]", "[garbage]", "[unknown]", "[agent]", "[compact]", "[twice]", "[withdraw]", "[error:529]", "[ask]", "[text:x]"}
	text := ""
	for range 1 + tr.rnd.IntN(3) {
		text += words[tr.rnd.IntN(len(words))] + " "
	}
	return fmt.Sprintf("%s [write:%s-%d.txt]", text, tr.name, n)
}

func (tr *trial) run() error {
	s := tr.w.store
	ctx := context.Background()
	for step := range 12 {
		rec, err := s.Read(ctx, tr.id)
		if err != nil {
			return err
		}
		if err := tr.step(ctx, &rec, step); err != nil {
			return fmt.Errorf("%s: %w", tr.id, err)
		}
		time.Sleep(time.Duration(tr.rnd.IntN(40)) * time.Millisecond)
	}
	for {
		rec, err := s.Read(ctx, tr.id)
		if err != nil {
			return err
		}
		if rec.State == launch.YourTurn {
			break
		}
		if !rec.Living() {
			return fmt.Errorf("%s ended: %+v", tr.id, rec)
		}
		for _, p := range rec.Prompts {
			tr.answer(ctx, p, launch.Deny, p.Hash)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return tr.check(ctx)
}

// step does one random thing, from a client that comes and goes.
func (tr *trial) step(ctx context.Context, rec *holder.Record, n int) error {
	switch k := tr.rnd.IntN(10); {
	case k < 2 && tr.sent < 4:
		m := &launch.Message{ID: launch.NewID(), Text: tr.prompt(tr.sent)}
		tr.sent++
		for range 1 + tr.rnd.IntN(2) {
			if _, err := tr.w.store.Ask(ctx, tr.id, holder.Request{Do: holder.DoSend, Message: m}); err != nil {
				return err
			}
		}
	case k < 7:
		for _, p := range rec.Prompts {
			hash := p.Hash
			if tr.rnd.IntN(4) == 0 {
				hash = launch.HashInput([]byte("other"))
			}
			tr.answer(ctx, p, []launch.Behavior{launch.Allow, launch.Allow, launch.Deny, "perhaps"}[tr.rnd.IntN(4)], hash)
		}
	case k < 8:
		_, err := tr.w.store.Ask(ctx, tr.id, holder.Request{Do: holder.DoAnswer, Answer: &launch.Answer{Prompt: "stale", Behavior: launch.Allow}})
		if !errors.Is(err, launch.ErrNoPrompt) {
			return fmt.Errorf("a stale answer: %v", err)
		}
	default: // somebody who looks, and goes away in the middle
		ctx, stop := context.WithTimeout(ctx, time.Duration(tr.rnd.IntN(20))*time.Millisecond)
		_ = tr.w.store.Follow(ctx, tr.id, holder.FollowOptions{Pieces: true}, func(holder.Frame) error { return nil })
		stop()
	}
	return nil
}

func (tr *trial) answer(ctx context.Context, p launch.Prompt, behavior launch.Behavior, hash string) {
	a := &launch.Answer{Prompt: p.ID, Hash: hash, Behavior: behavior, By: tr.name}
	if p.Kind == launch.Question {
		a.Answers = map[string]string{"Which colour?": "Red"}
	}
	_, err := tr.w.store.Ask(ctx, tr.id, holder.Request{Do: holder.DoAnswer, Answer: a})
	if err != nil || behavior != launch.Allow || hash != p.Hash {
		return
	}
	var in struct {
		File string `json:"file_path"`
	}
	if json.Unmarshal(p.Input, &in) == nil && in.File != "" {
		tr.allowed[filepath.Base(in.File)] = true
	}
}

// check compares what happened with what was allowed and sent.
func (tr *trial) check(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(tr.order.Spec.Dir, tr.name+"-*.txt"))
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range files {
		written[filepath.Base(f)] = true
		if !tr.allowed[filepath.Base(f)] {
			return fmt.Errorf("%s was written, and nobody allowed that", f)
		}
	}
	for f := range tr.allowed {
		if !written[f] {
			return fmt.Errorf("%s was allowed, and is not there", f)
		}
	}
	rec, err := tr.w.store.Read(ctx, tr.id)
	if err != nil {
		return err
	}
	if rec.Turns != tr.sent {
		return fmt.Errorf("%d messages had %d turns", tr.sent, rec.Turns)
	}
	if _, err := tr.w.store.Ask(ctx, tr.id, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		rec, err := tr.w.store.Read(ctx, tr.id)
		if err != nil || rec.State == launch.Ended {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("it does not end: %+v", rec.Status)
		}
	}
}

// A run whose files are removed ends, and leaves those of another that has its name now alone.
func TestFilesRemoved(t *testing.T) {
	w := newWorld(t)
	run, done := w.hold(w.order("[hang]"))
	w.until(run.ID, in(launch.Working))
	dir := filepath.Join(w.store.Dir, run.ID)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	other := []string{"held", "run.json", "socket", "waits", "room"}
	for _, name := range other {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it runs on")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(other) {
		t.Errorf("%v, %v", entries, err)
	}
}
