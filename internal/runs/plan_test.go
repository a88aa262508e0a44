package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// An order that makes no sense is refused before anything is started: the client would
// not take it, or work where nobody meant it to.
func TestPlanRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	r := New(Options{Dir: Dir(t.TempDir()), Client: func() (string, error) { return "", errcode.ErrNoClient }})
	for name, test := range map[string]struct {
		order func(o *Order)
		code  errcode.Code
	}{
		"as it should be":           {func(*Order) {}, ""},
		"the longest message":       {func(o *Order) { o.Prompt = strings.Repeat("x", launch.MaxMessage) }, ""},
		"a longer message":          {func(o *Order) { o.Prompt = strings.Repeat("x", launch.MaxMessage+1) }, errcode.Invalid},
		"as many retries as can be": {func(o *Order) { o.Limits.Retries = maxRetries }, ""},
		"more retries":              {func(o *Order) { o.Limits.Retries = maxRetries + 1 }, errcode.Invalid},
		"fewer than no retries":     {func(o *Order) { o.Limits.Retries = -1 }, errcode.Invalid},
		"a relative directory":      {func(o *Order) { o.Dir = "." }, errcode.Invalid},
		"no directory":              {func(o *Order) { o.Dir = filepath.Join(dir, "none") }, errcode.Invalid},
		"a file":                    {func(o *Order) { o.Dir = file }, errcode.Invalid},
		"a role that is no tag":     {func(o *Order) { o.Role = "a,b" }, errcode.Invalid},
		"a purpose of two lines":    {func(o *Order) { o.Purpose = "a\nb" }, errcode.Invalid},
		"an unknown mode":           {func(o *Order) { o.Mode = "perhaps" }, errcode.Invalid},
		"everything allowed":        {func(o *Order) { o.Mode = string(launch.Bypass) }, errcode.Denied},
	} {
		o := Order{Dir: dir, Prompt: "hi"}
		test.order(&o)
		if p, err := r.Plan(o); errcode.Of(err) != test.code {
			t.Errorf("%s: %+v, %v", name, p.Argv, err)
		}
	}
}

// A run works in a directory that is named from the root on, its links resolved: what it
// is asked about and what is looked up for it depends on no other process.
func TestWorkDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err := errors.Join(err, os.Mkdir(filepath.Join(dir, "real"), 0o700), os.Symlink("real", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if got, err := WorkDir(filepath.Join(dir, "link")); err != nil || got != filepath.Join(dir, "real") {
		t.Errorf("by a link: %q, %v", got, err)
	}
	for _, path := range []string{"", ".", "real", "./link"} {
		if got, err := WorkDir(path); errcode.Of(err) != errcode.Invalid || got != "" {
			t.Errorf("%q is %q, %v", path, got, err)
		}
	}
}

// What Removable says of a run is what Remove would do.
func TestRemovable(t *testing.T) {
	r := New(Options{Dir: Dir(t.TempDir())})
	for state, code := range map[launch.State]errcode.Code{launch.Working: errcode.Conflict, launch.Queued: errcode.Conflict, launch.Ended: "", launch.Unclean: ""} {
		run := holder.Record{Run: holder.Run{ID: "r1"}, Status: launch.Status{State: state}}
		if err := r.Removable(run); errcode.OfRun(err) != code {
			t.Errorf("%s: %v is %q", state, err, errcode.OfRun(err))
		}
	}
}
