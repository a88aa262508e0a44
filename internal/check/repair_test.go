package check_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/check"
	"sesskeep/internal/storetest"

	"pgregory.net/rapid"
)

// mend makes the repairs of a session in place, as its user would by a command.
func mend(t testing.TB, s *sesskeep.Store, id sesskeep.SessionID) []*check.Repair {
	t.Helper()
	family, err := s.Family(id)
	if err != nil {
		t.Fatal(err)
	}
	repairs, err := check.PlanRepair(context.Background(), s, family)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range repairs {
		src, err := r.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(src)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path(r.File), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return repairs
}

// salvaged are the records that the reader gets out of a file.
func salvaged(t testing.TB, s *sesskeep.Store, file string) (uuids, raw []string) {
	t.Helper()
	tail, err := s.Tail(file, homefs.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	take := func(e *sesskeep.Entry) {
		uuids, raw = append(uuids, e.UUID), append(raw, string(e.Raw))
	}
	for e, ok := tail.Next(); ok; e, ok = tail.Next() {
		take(e)
	}
	if e, ok := tail.Rest(); ok {
		take(e)
	}
	return uuids, raw
}

// without blanks the values of fields that a plan may name, however they are spaced: a
// blank that damage brought is no reason to leave the field.
func without(fields []string, raw string) string {
	for _, name := range fields {
		raw = regexp.MustCompile(`"`+name+`"\s*:\s*("[^"]*"|null|[0-9.]+)\s*,?`).ReplaceAllString(raw, "")
	}
	return raw
}

// law checks that a repair leaves no finding, and every record.
func law(t testing.TB, s *sesskeep.Store, id sesskeep.SessionID, file string) {
	t.Helper()
	uuids, before := salvaged(t, s, file)
	repairs := mend(t, s, id)
	var fields []string
	for _, r := range repairs {
		for _, c := range r.Changes {
			if c.Field != "" && !slices.Contains(fields, c.Field) {
				fields = append(fields, c.Field)
			}
		}
	}
	after, records := salvaged(t, s, file)
	named, has := map[string]bool{}, map[string]bool{}
	for _, uuid := range after {
		named[uuid] = true
	}
	for _, raw := range records {
		has[without(fields, raw)] = true
	}
	for i, raw := range before {
		if !has[without(fields, raw)] {
			t.Errorf("record %s is lost or changed: %.300s", uuids[i], raw)
		}
		if !named[uuids[i]] {
			t.Errorf("no record has the uuid %s any more", uuids[i])
		}
	}
	family, err := s.Family(id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Session(context.Background(), s, family, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Code != check.Empty && f.Code != check.NoResult && f.Code != check.NoAgent {
			t.Errorf("after the repair: %+v", f)
		}
	}
	if r.Repairable() {
		t.Errorf("after the repair there is something to repair: %s", codes(r.Findings, r.Notes))
	}
	if r.Verdict.Resumes == check.Partly {
		t.Errorf("after the repair it resumes only in part: %s", r.Verdict.Why)
	}
	if again := mend(t, s, id); len(again) > 0 {
		t.Errorf("a second repair changes something: %+v", again[0].Changes)
	}
}

func TestRepairFixtures(t *testing.T) {
	for _, c := range clientCases {
		t.Run(c.name, func(t *testing.T) {
			s, _ := home(t, c.text)
			resumable := c.resumes != check.No || strings.Contains(c.found, "nul-bytes") || strings.Contains(c.found, "byte-order-mark") || strings.Contains(c.found, "no-time")
			law(t, s, sid, "projects/-w/"+sid+".jsonl")
			if r := checkOne(t, s, sid, check.Options{}); (r.Verdict.Resumes == check.Yes) != resumable {
				t.Errorf("after the repair: %+v", r.Verdict)
			}
		})
	}
}

// A record that comes twice, and once of them with a wrong session or parent, comes once
// after the repair: both are the same then.
func TestRepairMakesAlike(t *testing.T) {
	twice := row("a2<u1")
	for name, text := range map[string]string{
		"the session of the second": lines(row("u1"), twice, strings.Replace(twice, sid, sid[1:], 1)),
		"the session of the first":  lines(row("u1"), strings.Replace(twice, sid, sid[1:], 1), twice),
		"the parent of the first":   lines(row("u1"), row("a2<gone"), twice),
	} {
		t.Run(name, func(t *testing.T) {
			s, file := home(t, text)
			law(t, s, sid, "projects/-w/"+sid+".jsonl")
			if data, err := os.ReadFile(file); err != nil || strings.Count(string(data), "\n") != 2 {
				t.Errorf("%v: %s", err, data)
			}
		})
	}
}

func TestRepairTheDamagedHome(t *testing.T) {
	dir := damagedHome(t)
	s, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	refs, err := s.Find("")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		law(t, s, ref.Session, ref.File)
	}
}

// The hostile home: what is damaged is named, and mended without losing a record.
func TestRepairTheHostileHome(t *testing.T) {
	dir := t.TempDir()
	files, err := storetest.Hostile(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, f := range files {
		ref, ok := s.Ref(f.Name)
		if !ok || ref.Agent != "" || isLink(filepath.Join(dir, f.Name)) {
			continue
		}
		name := s.Path(f.Name)
		text, err := os.ReadFile(name)
		if err != nil {
			continue // what may not be read
		}
		// Every row says "0": that is not what is hostile here.
		text = bytes.ReplaceAll(text, []byte(`"sessionId":"0"`), []byte(`"sessionId":"`+string(ref.Session)+`"`))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		ref, _ = s.Ref(f.Name)
		family, err := s.Family(ref.Session)
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Session(context.Background(), s, family, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if named := r.Damaged() || r.Repairable(); named != damagedHostile(f.What) {
			t.Errorf("%s: %s", f.What, codes(r.Findings, r.Notes))
		}
		law(t, s, ref.Session, f.Name)
		done++
	}
	if done < 50 {
		t.Errorf("only %d files were mended", done)
	}
}

// damagedHostile tells which files of the hostile home are damaged, by what is
// said of them. The others hold odd values, odd texts and odd names.
func damagedHostile(what string) bool {
	for _, word := range []string{
		"empty file", "NULs", "byte order mark", "CRLF", "cut in half", "random bytes", "raw control", "garbage", "UTF-16",
		"glued", "cut off", "cut inside", "over several", "JSON but no objects", "never close", "each other's", "own parent",
		"not there", "every line twice", "session id of another", "escape sequences", "levels deep",
		"times that are none", "paths that leave", // the last record has no time
		"hostile agents", // their rows say "0" too
	} {
		if strings.Contains(what, word) {
			return true
		}
	}
	return false
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// Whatever happens to a file, a repair leaves no finding and loses no record.
func TestRepairRandomDamage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "sesskeep-repair")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "projects", "-w", sid+".jsonl")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			rt.Fatal(err)
		}
		if err := os.WriteFile(file, damage(rt, talk(rt)), 0o600); err != nil {
			rt.Fatal(err)
		}
		s, err := sesskeep.Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		law(rapidTB{t, rt}, s, sid, "projects/-w/"+sid+".jsonl")
	})
}

// rapidTB reports to rapid, so that a failure is made small.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (t rapidTB) Errorf(format string, args ...any) { t.rt.Errorf(format, args...) }
func (t rapidTB) Fatal(args ...any)                 { t.rt.Fatal(args...) }
func (t rapidTB) Helper()                           {}

// talk is a session of a few records that hang together in some way.
func talk(rt *rapid.T) []byte {
	n := rapid.IntRange(1, 12).Draw(rt, "records")
	var rows []string
	for i := range n {
		kind := rapid.SampledFrom([]string{"u", "a", "t", "s", "c", "r"}).Draw(rt, "kind")
		short := fmt.Sprintf("%s%d", kind, i)
		if rapid.IntRange(0, 4).Draw(rt, "root") > 0 {
			up := rapid.IntRange(0, n).Draw(rt, "parent") // any, itself and none too
			for _, k := range []string{"u", "a", "t", "s", "c", "r"} {
				if id := fmt.Sprintf("%s%d", k, up); strings.Contains(strings.Join(rows, ""), `"uuid":"`+id+`"`) {
					short += "<" + id
				}
			}
			if !strings.Contains(short, "<") {
				short += "<" + fmt.Sprintf("%s%d", kind, up)
			}
		}
		var fields []string
		if rapid.IntRange(0, 9).Draw(rt, "no time") == 0 {
			fields = append(fields, noTime)
		}
		if rapid.IntRange(0, 9).Draw(rt, "foreign") == 0 {
			fields = append(fields, `"sessionId":"1=>"sessionId":"2`)
		}
		rows = append(rows, row(short, fields...))
	}
	return []byte(lines(rows...))
}

// damage does something bad to a file, several times.
func damage(rt *rapid.T, text []byte) []byte {
	for range rapid.IntRange(0, 4).Draw(rt, "blows") {
		at := rapid.IntRange(0, len(text)).Draw(rt, "at")
		to := min(len(text), at+rapid.IntRange(0, 200).Draw(rt, "length"))
		switch rapid.IntRange(0, 8).Draw(rt, "blow") {
		case 0: // a piece is gone
			text = slices.Delete(text, at, to)
		case 1: // a piece comes twice
			text = slices.Insert(text, at, bytes.Clone(text[at:to])...)
		case 2:
			text = slices.Insert(text, at, bytes.Repeat([]byte{0}, to-at)...)
		case 3: // a piece is zeroed, as by a crash
			clear(text[at:to])
		case 4:
			text = slices.Insert(text, at, rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(rt, "garbage")...)
		case 5: // a line end is gone
			if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
				text = slices.Delete(text, at+i, at+i+1)
			}
		case 6: // a line is gone, or comes twice
			all := bytes.SplitAfter(text, []byte("\n"))
			i := rapid.IntRange(0, len(all)-1).Draw(rt, "line")
			if rapid.Bool().Draw(rt, "twice") {
				all = slices.Insert(all, i, all[i])
			} else {
				all = slices.Delete(all, i, i+1)
			}
			text = bytes.Join(all, nil)
		case 7:
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		case 8:
			text = text[:at]
		}
	}
	return text
}
