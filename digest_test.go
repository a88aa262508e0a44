package sesskeep_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

func userLine(uuid, parent, text string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":"` + parent + `","message":{"content":` + quote(text) + `}}`
}

func textLine(uuid, parent, text string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","parentUuid":"` + parent + `","message":{"id":"m` + uuid + `","model":"x","content":[{"type":"text","text":` + quote(text) + `}]}}`
}

func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

func TestDigest(t *testing.T) {
	d := fold(t,
		`{"type":"summary","summary":"Of another  file","leafUuid":"elsewhere"}`,
		`{"type":"user","uuid":"a","sessionId":"s1","cwd":"/w","gitBranch":"main","version":"2.0","entrypoint":"cli","timestamp":"2026-01-02T00:00:00.000Z","promptSource":"typed","message":{"content":"hello"}}`,
		`{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s2","cwd":"/v","gitBranch":"dev","version":"2.1","entrypoint":"sdk-cli","timestamp":"2026-01-03T00:00:00.000Z","slug":"a-b-c","message":{"id":"m","model":"opus","content":[{"type":"text","text":"first"},{"type":"hologram"},{"type":"text","text":"last\nwords"}]}}`,
		`{"type":"assistant","uuid":"c","parentUuid":"b","cwd":"/w","timestamp":"2026-01-01T00:00:00.000Z","shiny":1,"message":{"model":"<synthetic>","content":"No response requested."}}`,
		`{"type":"custom-title","customTitle":"one"}`, `{"type":"custom-title","customTitle":"two"}`, `{"type":"custom-title","customTitle":""}`,
		`{"type":"ai-title","aiTitle":"ai"}`, `{"type":"tag","tag":"x"}`, `{"type":"tag","tag":""}`,
		`{"type":"last-prompt","leafUuid":"b"}`, `{"type":"novelty"}`, `{"type":"novelty"}`,
	)
	got := fmt.Sprintf("entries=%d session=%s cwds=%v branch=%s version=%s entry=%s slug=%s models=%v typed=%v title=%s ai=%s tag=%q last=%q answer=%q created=%s active=%s hint=%v",
		d.Entries, d.Session, d.Cwds, d.GitBranch, d.Version, d.Entrypoint, d.Slug, d.Models, d.Typed, d.CustomTitle, d.AITitle, d.Tag,
		d.LastPrompt, d.LastAnswer, d.Created.Format("01-02"), d.LastActive.Format("01-02"), d.Hint)
	want := `entries=13 session=s1 cwds=[/w /v] branch=dev version=2.1 entry=cli slug=a-b-c models=[opus] typed=true title=two ai=ai tag="" last="hello" answer="No response requested." created=01-01 active=01-03 hint={b 3}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := asJSON(t, d.Unknown), `[{"version":"2.1","what":"block","name":"hologram","count":1},{"version":"2.1","what":"field","name":"shiny","count":1},{"version":"2.1","what":"type","name":"novelty","count":2}]`; got != want {
		t.Errorf("unknown\n got %s\nwant %s", got, want)
	}
	if got := fmt.Sprint(d.Summaries); got != "[{elsewhere Of another file}]" {
		t.Errorf("summaries %s", got)
	}
}

// The attachments and the subtypes of system lines are part of the format too. The
// client's known fields are not news, nor is a line without a subtype.
func TestDigestUnknownSubtypes(t *testing.T) {
	d := fold(t,
		`{"type":"attachment","uuid":"a","version":"2.9","attachment":{"type":"crystal_ball"}}`,
		`{"type":"attachment","uuid":"b","parentUuid":"a","version":"2.9","attachment":{"type":"crystal_ball"}}`,
		`{"type":"attachment","uuid":"c","parentUuid":"b","version":"2.9","attachment":{"type":"file"}}`,
		`{"type":"attachment","uuid":"d","parentUuid":"c","version":"2.9","attachment":{}}`,
		`{"type":"system","uuid":"e","parentUuid":"d","version":"3.0","subtype":"time_travel"}`,
		`{"type":"system","uuid":"f","parentUuid":"e","version":"3.0","subtype":"file"}`,
		`{"type":"system","uuid":"g","parentUuid":"f","version":"3.0","subtype":"turn_duration","isDisplayOnly":true}`,
		`{"type":"system","uuid":"h","parentUuid":"g","version":"3.0","content":"Running a hook"}`,
		`{"type":"progress","uuid":"i","parentUuid":"h","version":"3.0","data":{"type":"time_travel"}}`,
		`{"type":"queue-operation","operation":"time_travel"}`,
	)
	if got, want := fmt.Sprint(d.Unknown), "[{2.9 attachment crystal_ball 2} {3.0 subtype time_travel 1} {3.0 subtype file 1}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is new is counted for the client that wrote it, on its first line too.
func TestDigestUnknownVersion(t *testing.T) {
	d := fold(t,
		`{"type":"user","uuid":"a","version":"2.9","shiny":1,"message":{"content":"x"}}`,
		`{"type":"user","uuid":"b","version":"2.9","shiny":1,"message":{"content":"x"}}`,
		`{"type":"user","uuid":"c","version":"3.0","shiny":1,"message":{"content":"x"}}`,
	)
	if got, want := fmt.Sprint(d.Unknown), "[{2.9 field shiny 2} {3.0 field shiny 1}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A client of 1.0 writes its agents into the main file: what they were told and
// what they said is not what the session is about.
func TestDigestInlineAgent(t *testing.T) {
	d := fold(t,
		`{"type":"user","uuid":"s","isSidechain":true,"message":{"content":"to the agent"}}`,
		userLine("a", "", "to the model"), textLine("b", "a", "by the model"),
		`{"type":"user","uuid":"t","isSidechain":true,"message":{"content":"to the agent"}}`,
		`{"type":"assistant","uuid":"u","isSidechain":true,"parentUuid":"t","message":{"id":"z","model":"x","content":"by the agent","usage":{"output_tokens":3}}}`,
	)
	if d.FirstPrompt() != "to the model" || d.LastPrompt != "to the model" || d.LastAnswer != "by the model" {
		t.Errorf("first %q, last %q, answer %q", d.FirstPrompt(), d.LastPrompt, d.LastAnswer)
	}
	if d.FromAgent() || d.Total().Output != 3 {
		t.Errorf("from an agent: %v, output %d", d.FromAgent(), d.Total().Output)
	}
	agent := fold(t,
		`{"type":"user","uuid":"s","isSidechain":true,"agentId":"a1","sessionId":"s1","message":{"content":"to the agent"}}`,
		`{"type":"assistant","uuid":"t","isSidechain":true,"agentId":"a1","parentUuid":"s","message":{"id":"z","content":"by the agent"}}`,
	)
	if agent.FirstPrompt() != "to the agent" || agent.LastPrompt != "to the agent" || agent.LastAnswer != "by the agent" || !agent.FromAgent() {
		t.Errorf("agent: first %q, last %q, answer %q", agent.FirstPrompt(), agent.LastPrompt, agent.LastAnswer)
	}
}

// A hostile file cannot make a Digest grow without end.
func TestDigestBounds(t *testing.T) {
	var d sesskeep.Digest
	for i := range 1000 {
		e := decode(t, fmt.Sprintf(`{"type":"assistant","uuid":"%d","cwd":"/%d","version":"%d","field%d":1,"message":{"id":"m","model":"%d","content":[{"type":"block%d"}]}}`, i, i, i, i, i, i))
		d.Add(&e)
		e = decode(t, fmt.Sprintf(`{"type":"summary","summary":%q,"leafUuid":"%d"}`, strings.Repeat("x", 5000), i))
		d.Add(&e)
		e = decode(t, fmt.Sprintf(`{"type":%q}`, strings.Repeat("y", 5000)+fmt.Sprint(i)))
		d.Add(&e)
		d.Report(sesskeep.Problem{Line: i, Lost: i%2 == 0})
	}
	if len(d.Cwds) > 100 || len(d.Models) > 100 || len(d.Unknown) > 100 || len(d.Summaries) > 100 || len(d.Problems) > 100 {
		t.Errorf("%d cwds, %d models, %d unknown, %d summaries, %d problems", len(d.Cwds), len(d.Models), len(d.Unknown), len(d.Summaries), len(d.Problems))
	}
	if d.Damage != 1000 || d.Lost != 500 || d.Entries != 3000 || len(d.Chain) != 1000 {
		t.Errorf("damage %d, lost %d, entries %d, chain %d", d.Damage, d.Lost, d.Entries, len(d.Chain))
	}
	if n := len(asJSON(t, d)); n > 300_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestTitle(t *testing.T) {
	talk := []string{
		userLine("a", "", "Warmup"), textLine("b", "a", "ok"),
		userLine("c", "b", "build a parser"), textLine("d", "c", "done"),
	}
	edited := append(talk[:len(talk):len(talk)], userLine("e", "d", "faster"), textLine("f", "e", "ok"), userLine("g", "d", "smaller"), textLine("h", "g", "ok"))
	for _, tt := range []struct {
		name  string
		lines []string
		found map[string]string
		want  string
		names string // of the conversations
	}{
		{"first telling prompt", talk, nil, "build a parser", "build a parser"},
		{"summary of the leaf", talk, map[string]string{"d": "Parser"}, "Parser", "Parser"},
		{"summary of a line further up", talk, map[string]string{"b": "Start"}, "Start", "Start"},
		{"the later summary", talk, map[string]string{"b": "Start", "d": "Parser"}, "Parser", "Parser"},
		{"summary of another branch", edited, map[string]string{"f": "Fast"}, "build a parser", "Fast smaller"},
		{"ai title", append(talk[:4:4], `{"type":"ai-title","aiTitle":"By  the\nmodel"}`), map[string]string{"d": "Parser"}, "By the model", "Parser"},
		{"own title", append(talk[:4:4], `{"type":"custom-title","customTitle":"Mine"}`, `{"type":"ai-title","aiTitle":"x"}`), nil, "Mine", "build a parser"},
		{"last own title", []string{`{"type":"custom-title","customTitle":"Mine"}`, `{"type":"custom-title","customTitle":"Yours"}`}, nil, "Yours", ""},
		{"branches", edited, nil, "build a parser", "faster smaller"},
		{"first prompt edited", []string{userLine("a", "", "one"), textLine("b", "a", "x"), userLine("c", "", "two")}, nil, "two", "one two"},
		{"only a warm-up", talk[:2], nil, "Warmup", "Warmup"},
		{"only a command", []string{userLine("a", "", "<command-message>x</command-message><command-name>/review</command-name>")}, nil, "/review", "/review"},
		{"a command, then a prompt", []string{userLine("a", "", "<command-message>x</command-message><command-name>/review</command-name>"), userLine("b", "a", "and the tests")}, nil, "and the tests", "and the tests"},
		{"a command with arguments, then little", []string{userLine("a", "", "<command-message>x</command-message><command-name>/review</command-name><command-args>the parser</command-args>"), userLine("b", "a", "8")}, nil, "/review the parser", "/review the parser"},
		{"a plan", []string{userLine("a", "", "Implement the following plan:\n\n# Dark mode  for the shop\n\n## Context\nIt is bright."), textLine("b", "a", "done")}, nil, "Dark mode for the shop", "Dark mode for the shop"},
		{"a plan without a heading", []string{userLine("a", "", "Implement the following plan:\nmake it dark")}, nil, "Implement the following plan: make it dark", "Implement the following plan: make it dark"},
		{"only summaries", []string{`{"type":"summary","summary":"A","leafUuid":"x"}`, `{"type":"summary","summary":"B","leafUuid":"y"}`}, nil, "B", ""},
		{"only local commands", []string{userLine("a", "", "<command-name>/clear</command-name>")}, nil, "", ""},
		{"nothing", nil, nil, "", ""},
	} {
		d := fold(t, tt.lines...)
		tree := d.Tree()
		var names []string
		for _, c := range tree.Conversations {
			names = append(names, d.NameWith(tree, c, tt.found))
		}
		if got := d.TitleWith(tree, tt.found); got != tt.want || strings.Join(names, " ") != tt.names {
			t.Errorf("%s: %q %q, want %q %q", tt.name, got, names, tt.want, tt.names)
		}
	}
}

// genLine makes one line of a transcript, sound or not, with its line end.
func genLine(t *rapid.T) string {
	id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
	text := rapid.SampledFrom([]string{"", "hi", "日本語", "🎉🎉", strings.Repeat("long ", 100), "<bash-input>ls</bash-input>", "a\\nb"})
	line := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":"%s","cwd":"/%s","version":"%s","timestamp":"2026-01-0%dT00:00:00.000Z","message":{"content":"%s"}}`,
				id.Draw(t, "uuid"), id.Draw(t, "parent"), id.Draw(t, "cwd"), id.Draw(t, "version"), rapid.IntRange(0, 9).Draw(t, "day"), text.Draw(t, "text"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"assistant","uuid":"%s","parentUuid":"%s","isSidechain":%v,"agentId":"%s","message":{"id":"%s","model":"%s","usage":{"input_tokens":%d,"output_tokens":%d},"content":[{"type":"text","text":"%s"},{"type":"%s"}]}}`,
				id.Draw(t, "uuid"), id.Draw(t, "parent"), rapid.Bool().Draw(t, "side"), rapid.SampledFrom([]string{"", "a1"}).Draw(t, "agent"), id.Draw(t, "message"), id.Draw(t, "model"),
				rapid.IntRange(0, 9).Draw(t, "in"), rapid.IntRange(0, 9).Draw(t, "out"), text.Draw(t, "text"), id.Draw(t, "block"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"assistant","uuid":"%s","message":{"stop_reason":%s,"content":[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"%s"}}]}}`,
				id.Draw(t, "uuid"), rapid.SampledFrom([]string{"null", `"tool_use"`, `"end_turn"`}).Draw(t, "reason"), id.Draw(t, "call"), text.Draw(t, "text"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"user","uuid":"%s","message":{"content":[{"type":"tool_result","tool_use_id":"%s"},{"type":"tool_result","tool_use_id":"%s"}]}}`,
				id.Draw(t, "uuid"), id.Draw(t, "call"), id.Draw(t, "other"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"queue-operation","operation":"%s","version":"2.0.76","content":"%s"}`,
				rapid.SampledFrom([]string{"enqueue", "enqueue", "remove", "dequeue", "popAll"}).Draw(t, "operation"), text.Draw(t, "text"))
		}),
		rapid.SampledFrom([]string{`{"type":"cost-state"}`, `{"type":"system","uuid":"a","subtype":"turn_duration"}`}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"type":"%s","customTitle":"%s","leafUuid":"%s","%s":1}`,
				rapid.SampledFrom([]string{"custom-title", "ai-title", "tag", "summary", "last-prompt", "mode", "novelty"}).Draw(t, "type"),
				text.Draw(t, "text"), id.Draw(t, "leaf"), id.Draw(t, "field"))
		}),
		rapid.SampledFrom([]string{"", "junk", "{\"type\":", "\x00\x00", "{\"type\":\"user\"}{\"type\":\"tag\",\"tag\":\"x\"}", "\x00{\"type\":\"tag\"}", "[]", "{\"uuid\":\"\xff\"}", "\ufeff{}"}),
	).Draw(t, "line")
	return line + rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", ""}).Draw(t, "end")
}

// inPieces folds data as it grows by the given pieces, saving and loading
// digest and mark between them.
func inPieces(tb testing.TB, pieces [][]byte) (sesskeep.Digest, homefs.Mark) {
	tb.Helper()
	home := &memory{}
	store := sesskeep.New(homefs.New("memory", home))
	var d sesskeep.Digest
	var m homefs.Mark
	for _, piece := range pieces {
		home.data, home.time = append(home.data, piece...), home.time+1
		_, _, m = foldTail(tb, store, &d, m)
	}
	return d, m
}

func TestDigestInPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(genLine), 1, 40).Draw(rt, "lines")
		data := []byte(strings.Join(lines, ""))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		size := max(rapid.IntRange(1, 2000).Draw(rt, "piece"), len(data)/50)
		whole, _ := inPieces(t, [][]byte{data})
		parts, _ := inPieces(t, storetest.Pieces(rng, data, size))
		if got, want := asJSON(t, parts), asJSON(t, whole); got != want {
			rt.Fatalf("in pieces\n%s\nwhole\n%s", got, want)
		}
	})
}

// The same over a file on disk, and a Digest that was never saved. Its trees are
// those of its lines, and stay as they are when it grows.
func TestDigestGrowingFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var data bytes.Buffer
	writeTranscript(&data, 200_000)
	s := openHome(t, "-- projects/-w/.keep --\n")
	var d sesskeep.Digest
	var m homefs.Mark
	var grown, rebuilt []*sesskeep.Tree
	for _, piece := range storetest.Pieces(rng, data.Bytes(), 10_000) {
		storetest.AppendBytes(t, s.Path(tailName), piece)
		_, _, m = foldTail(t, s, &d, m)
		fresh := sesskeep.Digest{Chain: d.Chain, Hint: d.Hint, Summaries: d.Summaries}
		grown, rebuilt = append(grown, d.Tree()), append(rebuilt, fresh.Tree())
	}
	if !reflect.DeepEqual(grown, rebuilt) {
		t.Error("a tree that was grown in pieces is another one")
	}
	whole, err := s.Digest(tailName)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, d), asJSON(t, whole); got != want {
		t.Errorf("in pieces\n%.2000s\nwhole\n%.2000s", got, want)
	}
	if whole.Damage != 0 || len(whole.Chain) == 0 {
		t.Errorf("%d problems, %d lines", whole.Damage, len(whole.Chain))
	}
}

func TestDigestInPiecesCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	dir := filepath.Join(corpus(t), "real-client")
	rng := rand.New(rand.NewPCG(3, 4))
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") || strings.Contains(path, "snapshots") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			return err
		}
		files++
		whole, _ := inPieces(t, [][]byte{data})
		parts, _ := inPieces(t, storetest.Pieces(rng, data, max(200, len(data)/20)))
		if got, want := asJSON(t, parts), asJSON(t, whole); got != want {
			t.Errorf("%s: in pieces\n%.2000s\nwhole\n%.2000s", path, got, want)
		}
		checkTree(t, whole.Chain, whole.Tree())
		return nil
	})
	if err != nil || files == 0 {
		t.Fatal(files, err)
	}
	t.Logf("%d files", files)
}

// What the real client wrote is known, whatever its version.
func TestCorpusUnknown(t *testing.T) {
	files, attachments := 0, 0
	err := filepath.WalkDir(filepath.Join(corpus(t), "real-client"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") || !strings.Contains(path, "/projects/") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			return err
		}
		files++
		attachments += strings.Count(string(data), `"type":"attachment"`)
		d, _ := inPieces(t, [][]byte{data})
		for _, u := range d.Unknown {
			if u.Name != "from-the-future" { // put in by hand, into a damaged file
				t.Errorf("%s: %v", path, u)
			}
		}
		return nil
	})
	if err != nil || files == 0 || attachments == 0 {
		t.Fatal(files, attachments, err)
	}
}

// Read gives the way back to every line.
func TestReadEntries(t *testing.T) {
	s := openHome(t, "-- "+tailName+" --\n"+
		userLine("a", "", "one")+"\n"+userLine("b", "a", "two")+userLine("c", "b", "three")+"\n"+"junk\n"+
		`{"type":"mode"}`+"\n"+textLine("d", "c", "four"))
	tr, err := s.Read(tailName)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	var got []string
	for i := range tr.Digest.Chain {
		e, err := tr.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s:%d", e.UUID, e.Line))
	}
	if s := strings.Join(got, " "); s != "a:1 b:2 c:2 d:5" || tr.Digest.Lost != 1 || tr.Digest.Damage != 3 {
		t.Errorf("%s, %d lost of %d problems: %v", s, tr.Digest.Lost, tr.Digest.Damage, tr.Digest.Problems)
	}
	if entries, err := tr.Entries(1); err != nil || len(entries) != 1 || entries[0].UUID != "b" {
		t.Errorf("the second turn: %+v %v", entries, err)
	}
	if err := os.WriteFile(s.Path(tailName), bytes.Repeat([]byte(" "), 4000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Entry(0); err == nil || !strings.Contains(err.Error(), "rewritten") {
		t.Errorf("reading from a file that was rewritten: %v", err)
	}
}

func TestReadMissing(t *testing.T) {
	s := openHome(t, "-- projects/-w/.keep --\n")
	if _, err := s.Read(tailName); err == nil {
		t.Error("a file that is not there was read")
	}
	_, err := s.Digest(tailName)
	if err == nil || !strings.HasSuffix(err.Error(), "not found") {
		t.Errorf("a file that is not there was folded: %v", err)
	}
}

// writeTranscript writes about size bytes of a session as the client does:
// prompts, attachments, answers in blocks, calls with their results.
func writeTranscript(to *bytes.Buffer, size int) {
	prose := strings.Repeat("The parser reads one line and gives its fields, “as they are”.\\n", 12)
	output := strings.Repeat("ok  \\tsesskeep/internal/jsonl\\t0.012s\\n\\u001b[32mPASS\\u001b[0m\\n", 60)
	last := ""
	line := 0
	put := func(kind, fields string) {
		line++
		parent := "null"
		if last != "" {
			parent = `"` + last + `"`
		}
		last = fmt.Sprintf("%08x-0000-4000-8000-000000000000", line)
		fmt.Fprintf(to, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/u/app","sessionId":"%s","version":"2.1.325","gitBranch":"main","type":"%s",%s,"uuid":"%s","timestamp":"2026-11-15T01:%02d:%02d.%03dZ"}`+"\n",
			parent, sessionA, kind, fields, last, line/60%60, line%60, line%1000)
	}
	for turn := 0; to.Len() < size; turn++ {
		put("user", fmt.Sprintf(`"promptSource":"typed","message":{"role":"user","content":"do step %d of the plan, please"}`, turn))
		put("attachment", `"attachment":{"type":"date","date":"2026-11-15"}`)
		for call := range 4 {
			message := fmt.Sprintf(`"requestId":"req_%d","message":{"id":"msg_%d_%d","type":"message","role":"assistant","model":"claude-opus-5","stop_reason":"tool_use","usage":{"input_tokens":12,"cache_creation_input_tokens":345,"cache_read_input_tokens":67890,"cache_creation":{"ephemeral_5m_input_tokens":345,"ephemeral_1h_input_tokens":0},"output_tokens":%d,"service_tier":"standard"},"content":`, turn, turn, call, 100+call)
			put("assistant", message+`[{"type":"thinking","thinking":"","signature":"`+strings.Repeat("QUJD", 90)+`"}]}`)
			put("assistant", message+`[{"type":"text","text":"`+prose+`"}]}`)
			put("assistant", fmt.Sprintf(`%s[{"type":"tool_use","id":"toolu_%d_%d","name":"Bash","input":{"command":"go test ./...","description":"Run the tests"}}]}`, message, turn, call))
			put("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%d_%d","type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}`, turn, call, output, output))
		}
		fmt.Fprintf(to, `{"type":"last-prompt","lastPrompt":"do step %d","leafUuid":"%s","sessionId":"%s"}`+"\n", turn, last, sessionA)
	}
}

// BenchmarkDigest folds a transcript of 20 MB from a file, on one core.
func BenchmarkDigest(b *testing.B) {
	var data bytes.Buffer
	writeTranscript(&data, 20<<20)
	dir := b.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(tailName))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, data.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	s, err := sesskeep.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(data.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Digest(tailName); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGrow grows the tree of the same transcript.
func BenchmarkGrow(b *testing.B) {
	var data bytes.Buffer
	writeTranscript(&data, 20<<20)
	d, _ := inPieces(b, [][]byte{data.Bytes()})
	b.ReportMetric(float64(len(d.Chain)), "lines")
	b.ReportAllocs()
	for b.Loop() {
		sesskeep.Grow(d.Chain, d.Hint)
	}
}
