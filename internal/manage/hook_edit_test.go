package manage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
)

// TestEditedMeanwhile edits settings in place and by rename while hooks are
// installed, taken out and undone. Every edit is in the file some moments later.
func TestEditedMeanwhile(t *testing.T) {
	t.Parallel()
	edits := 60
	if more, err := strconv.Atoi(os.Getenv("SESSKEEP_EDITS")); err == nil {
		edits = more
	}
	d := newDesk(t, `{"model":"opus"}`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var made atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			made.Add(int64(d.turn(ctx)))
		}
	}()
	i := 0
	for ; i < edits || made.Load() < int64(edits/10) && i < 20*edits; i++ {
		word := fmt.Sprintf("edit-%d-", i)
		d.edit(word)
		d.eventually(word)
		time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond) // else no change has its chance
	}
	cancel()
	<-ended
	t.Logf("%d edits, %d changes", i, made.Load())
	if made.Load() < int64(edits/10) {
		t.Errorf("only %d changes were made while there were %d edits", made.Load(), i)
	}
}

// turn installs hooks, takes them out or undoes that, and returns how many
// changes were made.
func (d *desk) turn(ctx context.Context) int {
	c, err := d.install(command)
	if err == nil && c.Plan.Empty() {
		c, err = d.uninstall()
		if rand.IntN(2) == 0 {
			c, err = d.undo(0)
		}
	}
	if err == nil {
		_, err = d.Do(ctx, c.Plan)
	}
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return 1
	case errors.Is(err, errcode.ErrChanged), errors.Is(err, sesskeep.ErrNotFound), errors.Is(err, context.Canceled), errors.As(err, &syntax),
		errors.Is(err, fs.ErrExist), strings.Contains(err.Error(), "not valid JSON"), strings.Contains(err.Error(), "already"), strings.Contains(err.Error(), "any more"):
		return 0 // it was being written, or there is nothing to do
	}
	d.Error(err)
	return 0
}

// edit changes the settings as an editor does: what it reads, with a word more.
func (d *desk) edit(word string) {
	d.Helper()
	var v map[string]any
	for {
		data, err := os.ReadFile(d.file)
		d.check(err)
		if json.Unmarshal(data, &v) == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	v["model"] = word
	text, err := json.MarshalIndent(v, "", "  ")
	d.check(err)
	switch rand.IntN(3) {
	case 0: // by rename
		temp := filepath.Join(filepath.Dir(d.file), "settings.tmp")
		d.check(os.WriteFile(temp, text, 0o640))
		d.check(os.Rename(temp, d.file))
	case 1: // in place, emptied first
		f, err := os.OpenFile(d.file, os.O_WRONLY|os.O_TRUNC, 0)
		d.check(err)
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		_, err = f.Write(text)
		d.check(errors.Join(err, f.Close()))
	default: // in place, emptied last
		f, err := os.OpenFile(d.file, os.O_WRONLY, 0)
		d.check(err)
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		_, err = f.Write(text)
		d.check(errors.Join(err, f.Truncate(int64(len(text))), f.Close()))
	}
}

// eventually waits until the settings have a word: for a moment they may be ours,
// until it is noticed that somebody wrote the file that was replaced.
func (d *desk) eventually(word string) {
	d.Helper()
	var data []byte
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		data, _ = os.ReadFile(d.file)
		if strings.Contains(string(data), word) {
			return
		}
	}
	d.Fatalf("%s is lost: %s", word, data)
}

// TestEmptiedMeanwhile: an editor emptied the settings and has not written them
// yet. They are not taken for no settings.
func TestEmptiedMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `{"model":"opus"}`)
	time.Sleep(20 * time.Millisecond) // the clock of files is coarse: it was not made just now
	f, err := os.OpenFile(d.file, os.O_WRONLY|os.O_TRUNC, 0)
	d.check(err)
	if _, err := d.install(command); !errors.Is(err, errcode.ErrChanged) {
		t.Errorf("got %v", err)
	}
	_, err = f.WriteString(`{"model":"haiku"}`)
	d.check(errors.Join(err, f.Close()))
	d.want(`{"model":"haiku"}`)
	d.do(d.install(command))
	if got := d.read(); !strings.Contains(got, "haiku") || !strings.Contains(got, command) {
		t.Errorf("got %s", got)
	}
}
