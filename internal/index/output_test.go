package index_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

const (
	outputSession = "11111111-1111-4111-8111-111111111111"
	outputDir     = "projects/-w/" + outputSession + "/tool-results/"
)

// outputHome has a session and an agent of it that each saved an output, and one
// output that no line names. The lines are cut from what client 2.1.325 wrote.
func outputHome(t *testing.T) string {
	t.Helper()
	result := func(uuid, name, agent string) string {
		return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,%s"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"<persisted-output>\nOutput too large (340.7KB). Full output saved to: /home/someone/.claude/%s%s\n\nPreview (first 2KB):\n1\n2\npreviewword\n...\n</persisted-output>","is_error":false}]},"uuid":%q,"timestamp":"2026-11-15T01:15:37.377Z","toolUseResult":{"stdout":"1\n2\n","stderr":"","interrupted":false,"persistedOutputPath":"/home/someone/.claude/%[2]s%[3]s","persistedOutputSize":348894},"sessionId":%[5]q}`,
			agent, outputDir, name, uuid, outputSession)
	}
	long := strings.Repeat("a line of output\n", 100_000)
	dir := storetest.Home(t, "-- projects/-w/"+outputSession+".jsonl --\n"+
		`{"parentUuid":null,"type":"user","message":{"role":"user","content":"run it"},"uuid":"u0","timestamp":"2026-11-15T01:15:00.000Z","sessionId":"`+outputSession+"\"}\n"+
		result("u1", "b1.txt", "")+"\n"+
		"-- projects/-w/"+outputSession+"/subagents/agent-a1.jsonl --\n"+
		result("u2", "b2.txt", `"agentId":"a1",`)+"\n"+
		"-- "+outputDir+"b2.txt --\nof an Agent\n-- "+outputDir+"b3.txt --\nnobody names lonelyword\n")
	text := "1\n2\npreviewword\n" + long + "the \"Deep\tWord\" größer 你好世界 is here\n" + long + "and farword\n"
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(outputDir), "b1.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is only in the file of an output is found, as a part of the line that names
// it.
func TestSavedOutputsAreFound(t *testing.T) {
	x, h := open(t, t.TempDir(), outputHome(t), index.Options{})
	for _, c := range []struct {
		query, file, message, agent string
		line                        int
	}{
		{`deep`, "b1.txt", "u1", "", 100_004},
		{`"the \"deep"`, "b1.txt", "u1", "", 100_004},
		{`GRÖSSER OR größer`, "b1.txt", "u1", "", 100_004},
		{`你好世界`, "b1.txt", "u1", "", 100_004},
		{`deep farword`, "b1.txt", "u1", "", 100_004},
		{`/^and far\w+$/`, "b1.txt", "u1", "", 200_005},
		{`"an agent"`, "b2.txt", "u2", "a1", 1},
		{`lonelyword`, "b3.txt", "", "", 1},
		{`lonelyword -agent`, "b3.txt", "", "", 1},
		{`deep role:tool`, "b1.txt", "u1", "", 100_004},
	} {
		q, err := query.Parse(c.query, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		page := search(t, x, h, ask.Search{Query: q})
		if page.HitCount != 1 || !page.Complete || len(page.Results) != 1 {
			t.Errorf("%s: %d hits of %d sessions, complete %v", c.query, page.HitCount, page.Total, page.Complete)
			continue
		}
		hit := page.Results[0].Hits[0]
		if page.Results[0].SessionID() != outputSession || hit.File != outputDir+c.file || hit.Line != c.line || hit.UUID != c.message ||
			hit.AgentID != c.agent || hit.Kind != ask.TextOutput || len(hit.Marks) == 0 {
			t.Errorf("%s: %+v", c.query, hit)
		}
	}
}

// An output and the line that names it are one hit, and filters are about both.
func TestSavedOutputsCountOnce(t *testing.T) {
	x, h := open(t, t.TempDir(), outputHome(t), index.Options{})
	for text, want := range map[string]int{
		"previewword": 2, "previewword farword": 1, "farword role:assistant": 0, "farword -deep": 0, "farword is:error": 0,
		"farword session:2222": 0, "farword after:2026-11-16": 0, "farword after:2026-11-15": 1,
	} {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if page := search(t, x, h, ask.Search{Query: q, Bare: true}); page.HitCount != want || !page.Complete {
			t.Errorf("%s: %d hits, want %d", text, page.HitCount, want)
		}
	}
	for text, want := range map[string]int{"farword": 1, "Deep\tWord": 1, "deep\tword": 0, "previewword": 2, "lonelyword": 1} {
		if page := search(t, x, h, ask.Search{Raw: []byte(text), Bare: true}); page.HitCount != want || !page.Complete {
			t.Errorf("bytes %q: %d hits, want %d", text, page.HitCount, want)
		}
	}
	in := func(kind ask.TextKind) int {
		return search(t, x, h, ask.Search{Query: phrase(t, "farword"), In: []ask.TextKind{kind}}).HitCount
	}
	if in(ask.TextOutput) != 1 || in(ask.TextPrompt) != 0 {
		t.Errorf("in output %d, in prompts %d", in(ask.TextOutput), in(ask.TextPrompt))
	}
}

// The output of a line that was just appended is found, though no event names its
// file.
func TestAbsorbTakesInNamedOutputs(t *testing.T) {
	home := outputHome(t)
	x, h := open(t, t.TempDir(), home, index.Options{})
	file := filepath.Join(home, "projects", "-w", outputSession+".jsonl")
	if err := os.WriteFile(filepath.Join(home, filepath.FromSlash(outputDir), "b9.txt"), []byte("freshword"), 0o600); err != nil {
		t.Fatal(err)
	}
	storetest.Append(t, file, `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_9","type":"tool_result","content":"<persisted-output>\nOutput too large (1KB). Full output saved to: /h/tool-results/b9.txt\n\nPreview"}]},"uuid":"u9","timestamp":"2026-11-15T02:00:00.000Z","sessionId":"`+outputSession+`"}`)
	if _, err := x.Absorb(t.Context(), []index.Change{{Home: h, Name: "projects/-w/" + outputSession + ".jsonl"}}, index.Options{}); err != nil {
		t.Fatal(err)
	}
	page := search(t, x, h, ask.Search{Query: phrase(t, "freshword")})
	if page.HitCount != 1 || page.Results[0].Hits[0].UUID != "u9" {
		t.Fatalf("%+v", page)
	}
}

// The real client prints 60,000 lines; its transcript has only the first ones.
func TestSavedOutputOfTheRealClient(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	x, h := open(t, t.TempDir(), filepath.Join(shared, "corpus", "real-client", "p02-tools", ".claude"), index.Options{})
	page := search(t, x, h, ask.Search{Query: phrase(t, "59998\n59999")})
	if page.HitCount != 1 || page.Results[0].Hits[0].Line != 59998 || page.Results[0].Hits[0].UUID != "10345664-6cf2-4a4b-8863-2385522f73aa" {
		t.Fatalf("%+v", page)
	}
}

// failingReads is a home whose file of one name opens and cannot be read.
type failingReads struct {
	*homefs.Home
	name string
	err  error
}

func (f *failingReads) Stat(name string) (fs.FileInfo, error) { return f.Info(name) }

func (f *failingReads) Open(name string) (homefs.File, error) {
	file, err := f.Home.Open(name)
	if err == nil && name == f.name && f.err != nil {
		file = unreadable{file, f.err}
	}
	return file, err
}

type unreadable struct {
	homefs.File
	err error
}

func (u unreadable) ReadAt([]byte, int64) (int, error) { return 0, u.err }

// An output that could not be read is read by the next walk.
func TestUnreadOutputIsReadLater(t *testing.T) {
	disk, err := sesskeep.Open(outputHome(t))
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	home := &failingReads{Home: disk.Files(), name: outputDir + "b1.txt", err: syscall.EIO}
	h := ask.Home{Store: sesskeep.New(homefs.New(disk.Root(), home))}
	refresh(t, x, h, index.Options{})
	home.err = nil
	refresh(t, x, h, index.Options{})
	if page := search(t, x, h, ask.Search{Query: phrase(t, "farword")}); page.HitCount != 1 || !page.Complete {
		t.Errorf("%d hits, complete %v", page.HitCount, page.Complete)
	}
}
