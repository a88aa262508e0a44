package sesskeep_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

const tailed = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"

func tailHome(t *testing.T, text string) (*sesskeep.Store, string) {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, filepath.FromSlash(tailed))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	return s, file
}

func TestTailFrom(t *testing.T) {
	const a, b = `{"type":"user","uuid":"a"}` + "\n", `{"type":"user","uuid":"b"}` + "\n"
	s, _ := tailHome(t, a+"broken\n"+b)
	for _, test := range []struct {
		offset int64
		lines  int
		want   string // the change, the entries, and where each line ends
		ends   []int64
	}{
		{0, 0, "grown a b", []int64{27, 61}},
		{27, 1, "grown b", []int64{61}},
		{34, 2, "grown b", []int64{61}},
		{61, 3, "grown", nil},
		{5, 1, "replaced a b", []int64{27, 61}},
		{999, 9, "replaced a b", []int64{27, 61}},
	} {
		tail, err := s.Tail(tailed, homefs.Mark{Offset: test.offset, Lines: test.lines})
		if err != nil {
			t.Fatal(err)
		}
		got := string(tail.Change)
		for i := 0; ; i++ {
			e, ok := tail.Next()
			if !ok {
				break
			}
			got += " " + e.UUID
			if offset, _ := tail.Position(); i >= len(test.ends) || offset != test.ends[i] {
				t.Errorf("from %d: entry %s ends at %d", test.offset, e.UUID, offset)
			}
		}
		if offset, lines := tail.Position(); offset != 61 || lines != 3 {
			t.Errorf("from %d: ends at %d, line %d", test.offset, offset, lines)
		}
		if got != test.want {
			t.Errorf("from %d: got %q, want %q", test.offset, got, test.want)
		}
		tail.Close()
	}
	tail, err := s.Tail("projects/-w/none.jsonl", homefs.Mark{Offset: 5, Lines: 1})
	if err != nil || tail.Change != homefs.Gone {
		t.Errorf("a file that is not there: %v, %v", tail, err)
	}
}

// A file that is overwritten between reading and marking is not taken for what
// was read of it, whether it grew by that, kept its size, or goes on to grow later.
func TestMarkOfChangedFile(t *testing.T) {
	old := bytes.Repeat([]byte(`{"type":"user","uuid":"a"}`+"\n"), 10)
	old = append(old, `{"type":`...) // a line that is not finished: what is read is more than what is marked
	changed := bytes.ReplaceAll(old, []byte(`"a"`), []byte(`"b"`))
	for name, texts := range map[string][2][]byte{
		"it grew":        {slices.Concat(changed, old), slices.Concat(changed, old)},
		"it stayed long": {changed, changed},
		"it grows later": {changed, slices.Concat(changed, old)},
	} {
		t.Run(name, func(t *testing.T) {
			s, file := tailHome(t, string(old))
			write := func(text []byte) {
				if err := os.WriteFile(file, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			past := time.Now().Add(-time.Hour) // so that writing changes its status
			if err := os.Chtimes(file, past, past); err != nil {
				t.Fatal(err)
			}
			tail, err := s.Tail(tailed, homefs.Mark{})
			if err != nil {
				t.Fatal(err)
			}
			for _, ok := tail.Next(); ok; _, ok = tail.Next() {
			}
			write(texts[0])
			mark, err := tail.Mark()
			if err != nil {
				t.Fatal(err)
			}
			tail.Close()
			write(texts[1])
			again, err := s.Tail(tailed, mark)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if again.Change != homefs.Replaced {
				t.Errorf("the file is %s", again.Change)
			}
		})
	}
}

// A copy of an entry does not change when the reader goes on.
func TestEntryClone(t *testing.T) {
	first := `{"type":"user","message":{"role":"user","content":"first"},"toolUseResult":"one","content":"x","odd":1}` + "\n"
	second := `{"type":"user","message":{"role":"user","content":"other"},"toolUseResult":"two","content":"y","odd":2}` + "\n"
	want, err := sesskeep.Decode([]byte(first[:len(first)-1]))
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(first[:len(first)-1])
	e, err := sesskeep.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Clone()
	copy(line, second)
	if string(c.Raw) != string(want.Raw) || string(c.Content) != string(want.Content) || string(c.Result) != string(want.Result) {
		t.Errorf("the copy says %s, %s, %s", c.Raw, c.Content, c.Result)
	}
	if string(c.Message.Content) != string(want.Message.Content) || len(c.Unknown) != 1 || c.Unknown[0] != "odd" {
		t.Errorf("the copy says %s, %v", c.Message.Content, c.Unknown)
	}
	if string(e.Message.Content) == string(want.Message.Content) {
		t.Error("the entry does not share its line")
	}
}

func TestSide(t *testing.T) {
	const id, other = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
	s, _ := tailHome(t, "")
	for _, name := range []string{id + "/subagents/agent-a1.jsonl", id + "/subagents/workflows/w/agent-a2.jsonl", other + "/subagents/agent-a3.jsonl"} {
		file := s.Path("projects/-w/" + name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := s.Folder("-w", id)
	if len(f.Refs) != 2 || f.Refs[0].Agent != "a1" || f.Refs[1].Agent != "a2" || len(f.Dirs) != 4 {
		t.Errorf("got %+v in %v", f.Refs, f.Dirs)
	}
	if f := s.Folder("-w", "33333333-0000-4000-8000-000000000000"); len(f.Refs)+len(f.Dirs)+len(f.Problems) != 0 {
		t.Errorf("of none: %+v", f)
	}
	if keys, err := s.ProjectKeys(); err != nil || len(keys) != 1 || keys[0] != "-w" {
		t.Errorf("the projects are %v, %v", keys, err)
	}
}

// A place at which the disk gives nothing is not a file that was replaced, and
// a Mark taken before the first line holds as well as any.
func TestTailFromBrokenDisk(t *testing.T) {
	home := &memory{data: []byte("{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"), broken: 8}
	s := sesskeep.New(homefs.New("memory", home))
	if tail, err := s.Tail(tailName, homefs.Mark{Offset: 16, Lines: 2}); err == nil {
		t.Errorf("a place that cannot be read is %s", tail.Change)
	}
	home.broken = 0
	tail, err := s.Tail(tailName, homefs.Mark{Offset: 8, Lines: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tail.Mark()
	tail.Close()
	if err != nil {
		t.Fatal(err)
	}
	if seen, change, _ := readTail(t, s, m); change != homefs.Grown || len(seen) != 2 || seen[0].line != 2 {
		t.Errorf("%s: %v", change, seen)
	}
}

// A long file that grows while it is read is not read once more for its Mark.
func TestMarkOfGrowingFile(t *testing.T) {
	home := &memory{data: bytes.Repeat([]byte(`{"type":"user","uuid":"a"}`+"\n"), 200_000)}
	s := sesskeep.New(homefs.New("memory", home))
	tail, err := s.Tail(tailName, homefs.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	for _, ok := tail.Next(); ok; _, ok = tail.Next() {
	}
	home.data = append(bytes.Clone(home.data), "{}\n"...)
	home.read = 0
	m, err := tail.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if home.read > len(home.data)/4 {
		t.Errorf("%d of %d bytes were read for a mark", home.read, len(home.data))
	}
	if seen, change, _ := readTail(t, s, m); change != homefs.Grown || len(seen) != 1 {
		t.Errorf("%s: %d entries", change, len(seen))
	}
}
