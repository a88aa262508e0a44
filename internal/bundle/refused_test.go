package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/bundle"
	"sesskeep/internal/storetest"
)

// Nothing is packed for a family without a transcript, for one whose transcript no other
// system could name, or where a file changes meanwhile.
func TestPackRefused(t *testing.T) {
	const line = `{"type":"user","uuid":"u1","cwd":"/w","message":{"role":"user","content":"hi"}}` + "\n"
	for name, c := range map[string]struct {
		archive string
		out     func(home string) io.Writer
		why     string
	}{
		"agents alone":  {"-- projects/-w/" + id + "/subagents/agent-a1.jsonl --\n" + line, nil, "no transcript"},
		"no plain name": {"-- projects/-w:x/" + id + ".jsonl --\n" + line, nil, "no directory of a project"},
		"changed":       {"-- " + main + " --\n" + line, func(home string) io.Writer { return &rewriter{t: t, file: filepath.Join(home, main)} }, "rewritten while it was packed"},
	} {
		t.Run(name, func(t *testing.T) {
			home := storetest.Home(t, c.archive)
			s, err := sesskeep.Open(home)
			if err != nil {
				t.Fatal(err)
			}
			family, err := s.Family(id)
			if err != nil {
				t.Fatal(err)
			}
			out := io.Discard
			if c.out != nil {
				out = c.out(home)
			}
			if _, _, err := bundle.Pack(context.Background(), out, s, family, bundle.Manifest{}); err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %q", err, c.why)
			}
		})
	}
}

// rewriter changes a file, but not its size, when the first byte of a bundle is written:
// every file has its hash by then.
type rewriter struct {
	t    *testing.T
	file string
}

func (w *rewriter) Write(p []byte) (int, error) {
	data, err := os.ReadFile(w.file)
	if err == nil {
		err = os.WriteFile(w.file, bytes.ToUpper(data), 0o600)
	}
	if err != nil {
		w.t.Error(err)
	}
	return len(p), nil
}

// What a bundle says of itself is held against what it has, and the reason is named.
func TestContradictions(t *testing.T) {
	good := entry{name: main, data: "{}\n"}
	listed := func(size int64, sum string) []byte {
		m := bundle.Manifest{Format: "sesskeep-bundle/1", Session: id, Dir: "-w", Files: []bundle.File{{Name: main, Size: size, SHA256: sum}}}
		return archiveOf(t, m, good)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(good.data)))
	two := bundle.Limits{Bytes: 5}
	for name, c := range map[string]struct {
		data   []byte
		limits bundle.Limits
		why    string
	}{
		"no id":              {forge(t, bundle.Manifest{Format: "sesskeep-bundle/1", Session: "x", Dir: "-w"}, entry{name: "projects/-w/x.jsonl"}), two, "no id of a session"},
		"too large together": {forge(t, bundle.Manifest{}, good, entry{name: "tasks/" + id + "/1", data: "abc"}), two, "more than 5 bytes"},
		"a negative size":    {listed(-1, sum), bundle.Limits{}, "bytes"},
		"another size":       {listed(2, sum), bundle.Limits{}, "has 3 bytes, and 2 by its manifest"},
		"another hash":       {listed(3, "00"), bundle.Limits{}, "its hash differs"},
		"a file is missing":  {archiveOf(t, bundle.Manifest{Format: "sesskeep-bundle/1", Session: id, Dir: "-w", Files: []bundle.File{{Name: main}}}), bundle.Limits{}, "is missing"},
		"one that is not listed": {archiveOf(t, bundle.Manifest{Format: "sesskeep-bundle/1", Session: id, Dir: "-w", Files: []bundle.File{{Name: main, Size: 3, SHA256: sum}}},
			good, entry{name: "tasks/" + id + "/1"}), bundle.Limits{}, "more than its manifest lists"},
	} {
		_, err := bundle.Unpack(context.Background(), bytes.NewReader(c.data), t.TempDir(), c.limits)
		if !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

// Bombs are stopped early: by their number, by what they say, by what comes out.
func TestBombs(t *testing.T) {
	many := []entry{{name: main, data: "{}\n"}}
	for i := range 200 {
		many = append(many, entry{name: fmt.Sprintf("tasks/%s/%d", id, i)})
	}
	zeros := strings.Repeat("\x00", 64<<20)
	small := bundle.Limits{Files: 100, Bytes: 32 << 20}
	for name, c := range map[string]struct {
		data   []byte
		limits bundle.Limits
		why    string
	}{
		"many files": {forge(t, bundle.Manifest{}, many...), small, "more than 100 files"},
		"large":      {forge(t, bundle.Manifest{}, entry{name: main, data: zeros[:33<<20]}), small, "more than 33554432 bytes"},
		"compressed": {forge(t, bundle.Manifest{}, entry{name: main, data: zeros}), bundle.Limits{}, "compressed more than 200 times"},
		"manifest":   {bomb(t, "manifest.json", 64<<20), bundle.Limits{}, "manifest is too large"},
		"sparse":     {sparse(t), bundle.Limits{}, "no plain file"},
		"a long end": {longEnd(t), small, "more than 33554432 bytes"},
	} {
		dir := t.TempDir()
		start := storetest.CPU(t)
		_, err := bundle.Unpack(context.Background(), bytes.NewReader(c.data), dir, c.limits)
		if !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
		if took := storetest.CPU(t) - start; took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if n := size(t, dir); n > 16<<20 {
			t.Errorf("%s: %d bytes were written before it was stopped", name, n)
		}
	}
}

func size(t testing.TB, dir string) (n int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// bomb is an archive with one file of zeros.
func bomb(t testing.TB, name string, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	if err := w.WriteHeader(&tar.Header{Name: name, Size: n, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, zero{}, n); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// longEnd is a bundle that is followed, inside of its compression, by more than it may hold.
func longEnd(t testing.TB) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(forge(t, bundle.Manifest{}, entry{name: main, data: "{}\n"})))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	stored, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(stored, zip); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(stored, zero{}, 70<<20); err != nil {
		t.Fatal(err)
	}
	if err := stored.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// sparse is a bundle whose transcript is a hole of 8 GiB in the old form of GNU.
func sparse(t testing.TB) []byte {
	t.Helper()
	const real = 8 << 30
	m := bundle.Manifest{Format: "sesskeep-bundle/1", Session: id, Dir: "-w", Files: []bundle.File{{Name: main, Size: real}}}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	if err := w.WriteHeader(&tar.Header{Name: "manifest.json", Size: int64(len(text)), Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 512)
	copy(block, "files/"+main)
	copy(block[100:], "0000600\x00")
	copy(block[108:], "0000000\x00")
	copy(block[116:], "0000000\x00")
	copy(block[124:], "00000000000\x00") // nothing follows
	copy(block[136:], "00000000000\x00")
	block[156] = 'S'
	copy(block[257:], "ustar  \x00")
	copy(block[386:], fmt.Sprintf("%011o\x00%011o\x00", int64(real), 0))
	copy(block[483:], fmt.Sprintf("%011o\x00", int64(real)))
	copy(block[148:], "        ")
	sum := 0
	for _, c := range block {
		sum += int(c)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	if _, err := zip.Write(append(block, make([]byte, 1024)...)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
