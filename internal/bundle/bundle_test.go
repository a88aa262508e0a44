package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

const (
	id   = "11111111-0000-4000-8000-000000000001"
	main = "projects/-w/" + id + ".jsonl"
)

const archiveHome = `-- projects/-w/11111111-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"u1","cwd":"/w","message":{"role":"user","content":"hi"}}
not a record
-- projects/-w/11111111-0000-4000-8000-000000000001/subagents/agent-a1.jsonl --
{"type":"user","uuid":"a1","cwd":"/w/sub"}
-- projects/-w/11111111-0000-4000-8000-000000000001/subagents/agent-a1.meta.json --
{}
-- projects/-w/11111111-0000-4000-8000-000000000001/tool-results/big.txt --
big
-- projects/-w/22222222-0000-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"x"}
-- tasks/11111111-0000-4000-8000-000000000001/1.json --
{}
-- file-history/11111111-0000-4000-8000-000000000001/0123456789abcdef@v1 --
old
-- todos/11111111-0000-4000-8000-000000000001-agent-11111111-0000-4000-8000-000000000001.json --
[]
-- plans/calm-sea.md --
a plan
-- settings.json --
{"env":{"TOKEN":"canary"}}
-- .credentials.json --
canary
`

func pack(t testing.TB, home string) []byte {
	t.Helper()
	s, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	family, err := s.Family(id, "calm-sea")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, left, err := bundle.Pack(context.Background(), &b, s, family, bundle.Manifest{Created: time.Unix(0, 0).UTC(), Project: "/w"}); err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	return b.Bytes()
}

// A bundle has every file of the family and no other, byte for byte.
func TestRoundTrip(t *testing.T) {
	home := storetest.Home(t, archiveHome)
	dir := t.TempDir()
	m, err := bundle.Unpack(context.Background(), bytes.NewReader(pack(t, home)), dir, bundle.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 8 || m.Session != id || m.Project != "/w" {
		t.Errorf("%+v", m)
	}
	for i, f := range m.Files {
		got, err := os.ReadFile(bundle.Unpacked(dir, i))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs: %v", f.Name, err)
		}
		if bytes.Contains(got, []byte("canary")) {
			t.Errorf("%s is a secret", f.Name)
		}
	}
}

// Every flipped bit that changes something is found, and every missing end.
func TestDamage(t *testing.T) {
	home := storetest.Home(t, archiveHome)
	data := pack(t, home)
	idle := 0
	for at := 0; at < len(data); at += 3 {
		bad := bytes.Clone(data)
		bad[at] ^= 1 << (at % 8)
		dir := t.TempDir()
		m, err := bundle.Unpack(context.Background(), bytes.NewReader(bad), dir, bundle.Limits{})
		if errors.Is(err, bundle.ErrInvalid) {
			continue
		}
		if err != nil {
			t.Fatalf("a flipped bit at %d: %v", at, err)
		}
		idle++
		for i, f := range m.Files {
			got, errGot := os.ReadFile(bundle.Unpacked(dir, i))
			want, errWant := os.ReadFile(filepath.Join(home, filepath.FromSlash(f.Name)))
			if errGot != nil || errWant != nil || !bytes.Equal(got, want) {
				t.Fatalf("a flipped bit at %d changes %s", at, f.Name)
			}
		}
	}
	if idle > 16 { // the time and the system in the header, and bits that fill a byte up
		t.Errorf("%d of %d flipped bits were not noticed", idle, len(data))
	}
	for n := 0; n < len(data); n += 13 {
		if _, err := bundle.Unpack(context.Background(), bytes.NewReader(data[:n]), t.TempDir(), bundle.Limits{}); !errors.Is(err, bundle.ErrInvalid) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	if _, err := bundle.Unpack(context.Background(), bytes.NewReader(append(bytes.Clone(data), data...)), t.TempDir(), bundle.Limits{}); !errors.Is(err, bundle.ErrInvalid) {
		t.Fatalf("two in one file: %v", err)
	}
}

// entry is a file of a bundle that somebody made by hand.
type entry struct {
	name   string // in the archive; files/ is added
	listed string // in the manifest; empty: the same
	data   string
	header tar.Header
}

// forge makes a bundle by hand.
func forge(t testing.TB, m bundle.Manifest, entries ...entry) []byte {
	t.Helper()
	if m.Format == "" {
		m.Format, m.Session, m.Dir = "sesskeep-bundle/1", id, "-w"
	}
	for i := range entries {
		e := &entries[i]
		if e.listed == "" {
			e.listed = e.name
		}
		sum := sha256.Sum256([]byte(e.data))
		m.Files = append(m.Files, bundle.File{Name: e.listed, Size: int64(len(e.data)), SHA256: hex.EncodeToString(sum[:])})
	}
	return archiveOf(t, m, entries...)
}

// archiveOf writes a manifest and files, whatever the manifest says of them.
func archiveOf(t testing.TB, m bundle.Manifest, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write := func(h tar.Header, data []byte) {
		if h.Size == 0 && h.Typeflag != tar.TypeSymlink && h.Typeflag != tar.TypeLink && h.Typeflag != tar.TypeDir {
			h.Size = int64(len(data))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(tar.Header{Name: "manifest.json", Mode: 0o600}, text)
	for _, e := range entries {
		h := e.header
		h.Name, h.Mode = "files/"+e.name, 0o600
		write(h, []byte(e.data))
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What could do harm is refused, and nothing is written outside of the directory.
func TestHostile(t *testing.T) {
	good := entry{name: main, data: "{}\n"}
	for name, data := range map[string][]byte{
		"traversal":           forge(t, bundle.Manifest{}, good, entry{name: "../evil"}),
		"traversal inside":    forge(t, bundle.Manifest{}, good, entry{name: "projects/-w/" + id + "/../../../settings.json"}),
		"absolute":            forge(t, bundle.Manifest{}, good, entry{name: "/etc/evil"}),
		"backslashes":         forge(t, bundle.Manifest{}, good, entry{name: `tasks/` + id + `/..\..\evil`}),
		"drive":               forge(t, bundle.Manifest{}, good, entry{name: "C:/evil"}),
		"settings":            forge(t, bundle.Manifest{}, good, entry{name: "settings.json"}),
		"a command":           forge(t, bundle.Manifest{}, good, entry{name: "commands/evil.md"}),
		"a secret":            forge(t, bundle.Manifest{}, good, entry{name: "session-env/" + id + "/x"}),
		"a key":               forge(t, bundle.Manifest{}, good, entry{name: "x.key"}),
		"another session":     forge(t, bundle.Manifest{}, good, entry{name: "projects/-w/22222222-0000-4000-8000-000000000002.jsonl"}),
		"another project":     forge(t, bundle.Manifest{}, good, entry{name: "projects/-x/" + id + ".jsonl"}),
		"a control character": forge(t, bundle.Manifest{}, good, entry{name: "tasks/" + id + "/\x1b[31m"}),
		"too deep":            forge(t, bundle.Manifest{}, good, entry{name: "tasks/" + id + strings.Repeat("/x", 20)}),
		"twice":               forge(t, bundle.Manifest{}, good, good),
		"twice by case":       forge(t, bundle.Manifest{}, good, entry{name: "tasks/" + id + "/a"}, entry{name: "tasks/" + id + "/A"}),
		"no transcript":       forge(t, bundle.Manifest{}, entry{name: "tasks/" + id + "/1.json"}),
		"nothing":             forge(t, bundle.Manifest{}),
		"another name":        forge(t, bundle.Manifest{}, entry{name: "tasks/x/y", listed: main, data: "{}\n"}),
		"a symbolic link":     forge(t, bundle.Manifest{}, entry{name: main, header: tar.Header{Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}}),
		"a hard link":         forge(t, bundle.Manifest{}, entry{name: main, header: tar.Header{Typeflag: tar.TypeLink, Linkname: "manifest.json"}}),
		"a directory":         forge(t, bundle.Manifest{}, entry{name: main, header: tar.Header{Typeflag: tar.TypeDir}}),
		"a fifo":              forge(t, bundle.Manifest{}, entry{name: main, header: tar.Header{Typeflag: tar.TypeFifo}}),
		"no id":               forge(t, bundle.Manifest{Format: "sesskeep-bundle/1", Session: "../../x", Dir: "-w"}, good),
		"no directory":        forge(t, bundle.Manifest{Format: "sesskeep-bundle/1", Session: id, Dir: "../.."}, good),
		"another format":      forge(t, bundle.Manifest{Format: "sesskeep-bundle/9", Session: id, Dir: "-w"}, good),
		"no archive":          []byte("hello"),
		"empty":               nil,
	} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "in")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if _, err := bundle.Unpack(context.Background(), bytes.NewReader(data), dir, bundle.Limits{}); !errors.Is(err, bundle.ErrInvalid) {
				t.Errorf("%v", err)
			}
			contained(t, outer)
		})
	}
}

// contained checks that nothing was written but numbered plain files.
func contained(t testing.TB, outer string) {
	t.Helper()
	err := filepath.WalkDir(outer, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (!d.Type().IsRegular() || filepath.Dir(path) != filepath.Join(outer, "in") || strings.Trim(d.Name(), "0123456789") != "") {
			t.Errorf("%s was made", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Only the working directory changes, and only as a whole name.
func TestRelocate(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", 200<<10) + `","cwd":"/old"}` + "\n"
	text := `{"a":1,"cwd":"/old","b":{"cwd":"/old"}}` + "\r\n" + `{"cwd":"/old/sub"}` + "\n" + `{"cwd":"/older"}` + "\n" +
		"not json \"cwd\":\"/old\"\n\n\x00\x00\n" + long + `{"cwd":"/old"}`
	want := `{"a":1,"cwd":"/new \"x\"","b":{"cwd":"/old"}}` + "\r\n" + `{"cwd":"/new \"x\"/sub"}` + "\n" + `{"cwd":"/older"}` + "\n" +
		"not json \"cwd\":\"/old\"\n\n\x00\x00\n" + strings.Replace(long, `/old`, `/new \"x\"`, 1) + `{"cwd":"/new \"x\""}`
	r := bundle.Relocate(io.NopCloser(strings.NewReader(text)), "/old", `/new "x"`)
	got, err := io.ReadAll(r)
	if err != nil || string(got) != want {
		t.Errorf("%v: %.300q\nwant %.300q", err, got, want)
	}
	same, err := io.ReadAll(bundle.Relocate(io.NopCloser(strings.NewReader(text)), "/old", "/old"))
	if err != nil || string(same) != text {
		t.Error("an import to the same place changes something")
	}
}

// Whatever a file holds, unpacking it ends, stays in its directory, and writes no
// more than it may.
func FuzzUnpack(f *testing.F) {
	f.Add(forge(f, bundle.Manifest{}, entry{name: main, data: "{}\n"}))
	f.Add(forge(f, bundle.Manifest{}, entry{name: main, data: "{}\n"}, entry{name: "../x", data: "x"}))
	f.Add(bomb(f, "manifest.json", 1<<20))
	f.Add(sparse(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		outer := t.TempDir()
		dir := filepath.Join(outer, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		limits := bundle.Limits{Files: 10, Bytes: 4 << 20}
		_, err := bundle.Unpack(context.Background(), bytes.NewReader(data), dir, limits)
		if err != nil && !errors.Is(err, bundle.ErrInvalid) {
			t.Error(err)
		}
		contained(t, outer)
		if n := size(t, dir); n > limits.Bytes {
			t.Errorf("%d bytes were written", n)
		}
	})
}
