package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// linked are packages whose tests start themselves from a directory for temporary
// files: it has to lie where their programs find what is removed. Others choose their
// file systems themselves.
var linked = []string{"internal/cli"}

// worker runs tests in a directory of its own: all that they start from there is
// without the same refusal.
type worker struct {
	root, dir string
	out       []byte // what the last run wrote
}

func newWorker(root, dir string) (*worker, error) {
	w := &worker{root, dir, nil}
	return w, os.MkdirAll(filepath.Join(dir, "bin"), 0o755)
}

// run runs tests of a package without a refusal, or with all for 0. It gives the
// refusals that they met, and whether all tests passed.
func (w *worker) run(pkg string, removed int, limit time.Duration, args ...string) (met []int, passed bool, err error) {
	if err := w.prepare(removed); err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args = append([]string{"-test.timeout", limit.String(), "-test.failfast"}, args...)
	if slices.Contains(linked, pkg) {
		args = append(args, "-test.short") // the laws that its long tests try are others
	}
	cmd := exec.CommandContext(ctx, filepath.Join(w.dir, "bin", filepath.Base(pkg)+".test"), args...)
	cmd.Dir = filepath.Join(w.root, pkg)
	cmd.Env = append(os.Environ(), "SESSKEEP_SEED=1")
	if slices.Contains(linked, pkg) {
		cmd.Env = append(cmd.Env, "TMPDIR="+filepath.Join(w.dir, "t"))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	w.out, err = cmd.CombinedOutput()
	w.endOthers()
	passed = err == nil
	data, err := os.ReadFile(filepath.Join(w.dir, "met"))
	if err != nil {
		return nil, false, err
	}
	for word := range strings.FieldsSeq(string(data)) {
		id, err := strconv.Atoi(word)
		if err != nil {
			return nil, false, fmt.Errorf("a refusal that was met: %w", err)
		}
		met = append(met, id)
	}
	return met, passed, nil
}

// prepare writes what the processes of a run read, for every user: some tests give
// their rights up.
func (w *worker) prepare(removed int) error {
	tmp := filepath.Join(w.dir, "t")
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{"removed": strconv.Itoa(removed), "met": ""} {
		file := filepath.Join(w.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		if err := os.Chmod(file, 0o666); err != nil {
			return err
		}
	}
	return os.Chmod(tmp, os.ModeSticky|0o777)
}

// endOthers ends the processes of this worker's programs that outlive a test which
// failed.
func (w *worker) endOthers() {
	list, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range list {
		program, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(program, w.dir+"/") {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(link, "/")[2]); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
