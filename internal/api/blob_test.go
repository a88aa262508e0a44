package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

type blocks struct {
	Blocks []struct {
		Kind      string
		Turn      int
		Index     *int
		MessageID string
		Text      string
		Media     *media
		Call      *struct {
			Output string
			Input  jsonText
			Media  []media
			Diff   []jsonText
		}
		Truncated map[string]struct {
			FileSize int
			Ref      string
		}
	}
	Turns []struct {
		ID       string
		Index    int
		Siblings *struct {
			Step, Total int
			Turns       []struct{ ID, Leaf string }
		}
	}
	TurnCount, TurnsBefore, TurnsAfter int
	Prev, Next                         string
	Total                              *int
	Leaf                               string
}

type media struct {
	Type, Ref     string
	Width, Height int
}

const blobSession = "b10b0000-0000-4000-8000-000000000000"

// writeBlobs adds a session that holds things of all sorts, and gives their bytes.
func writeBlobs(w *world) map[string][]byte {
	w.t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 7, 5))
	files := map[string][]byte{}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"png":  func(b *bytes.Buffer) error { return png.Encode(b, picture) },
		"jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) },
		"gif":  func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) },
	} {
		var b bytes.Buffer
		w.must(encode(&b))
		files[name] = b.Bytes()
	}
	files["svg"] = []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	files["html"] = []byte(`<script>alert(1)</script>`)
	files["huge"] = bytes.Clone(files["png"])
	copy(files["huge"][16:24], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff}) // a header that asks for 4 gigapixels
	binary.BigEndian.PutUint32(files["huge"][29:], crc32.ChecksumIEEE(files["huge"][12:29]))
	var lines []string
	parent := "null"
	add := func(n int, kind, content string) {
		id := fmt.Sprintf("b10b0000-0000-4000-8000-%012d", n)
		lines = append(lines, fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"cwd":"/srv/blob","timestamp":"2026-11-15T10:00:%02dZ","message":{"role":%q,"id":"m%d","model":"claude-opus-4-1","content":%s}}`,
			kind, id, parent, blobSession, n, kind, n, content))
		parent = `"` + id + `"`
	}
	image := func(kind, name string) string {
		return fmt.Sprintf(`{"type":"image","source":{"type":"base64","media_type":"image/%s","data":%q}}`, kind, base64.StdEncoding.EncodeToString(files[name]))
	}
	long := strings.Repeat("a long line of text\n", 5000)
	add(1, "user", `[{"type":"text","text":"look"},`+image("png", "png")+`,`+image("png", "svg")+`,`+image("png", "html")+`,`+image("png", "huge")+`]`)
	add(2, "assistant", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":`+fmt.Sprintf("%q", long)+`}}]`)
	add(3, "user", `[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":`+fmt.Sprintf("%q", long)+`},`+image("jpeg", "jpeg")+`,`+image("png", "gif")+`]}]`)
	add(4, "assistant", `[{"type":"tool_use","id":"t2","name":"Write","input":{"file_path":"/srv/blob/a","content":`+fmt.Sprintf("%q", long)+`}}]`)
	add(5, "assistant", `[{"type":"text","text":`+fmt.Sprintf("%q", long)+`}]`)
	dir := filepath.Join(w.home, "projects", "-srv-blob")
	w.must(os.MkdirAll(dir, 0o700))
	w.must(os.WriteFile(filepath.Join(dir, blobSession+".jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	w.must(w.app.Index.Refresh(w.t.Context()))
	files["long"] = []byte(long)
	return files
}

// No block holds much, and what is left out can be had. What a browser is given to
// show is an image by its own bytes, and not too large.
func TestBlobs(t *testing.T) {
	w := newWorld(t)
	files := writeBlobs(w)
	at := "/sessions/" + blobSession
	page := get[blocks](w, at+"/blocks?around=start&count=true")
	seen := map[string]bool{}
	check := func(what, ref, kind, want string, shown bool) {
		t.Helper()
		seen[what] = true
		r := w.ask(access.Read, http.MethodGet, at+"/blobs/"+ref, "")
		disposition := r.header.Get("Content-Disposition")
		if r.status != 200 || r.header.Get("Content-Type") != kind || string(r.body) != want {
			t.Errorf("%s is %d %s of %d bytes, want %s of %d", what, r.status, r.header.Get("Content-Type"), len(r.body), kind, len(want))
		}
		if strings.HasPrefix(disposition, "inline") != shown || r.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(r.header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %s, %v", what, disposition, r.header)
		}
		if r := w.ask(access.Read, http.MethodGet, at+"/blobs/"+ref+"?download=true", ""); !strings.HasPrefix(r.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s is not saved: %s", what, r.header.Get("Content-Disposition"))
		}
	}
	var pictures []media
	for i, b := range page.Blocks {
		if b.Index == nil || *b.Index != i || len(b.Text) > 20<<10 {
			t.Errorf("block %d: %+v", i, b)
		}
		if b.Media != nil {
			pictures = append(pictures, *b.Media)
		}
		if b.Kind == "text" {
			check("answer", b.Truncated["text"].Ref, "text/plain; charset=utf-8", string(files["long"]), true)
		}
		if b.Call == nil {
			continue
		}
		if len(b.Call.Output) > 4<<10 || len(b.Call.Input) > 4<<10 {
			t.Errorf("block %d holds %d bytes of output, %d of input", i, len(b.Call.Output), len(b.Call.Input))
		}
		if len(b.Call.Media) == 2 {
			check("jpeg", b.Call.Media[0].Ref, "image/jpeg", string(files["jpeg"]), true)
			check("gif called png", b.Call.Media[1].Ref, "image/gif", string(files["gif"]), true)
			check("output", b.Truncated["output"].Ref, "text/plain; charset=utf-8", string(files["long"]), true)
			if b.Truncated["output"].FileSize != len(files["long"]) || b.Call.Media[0].Width != 7 || b.Call.Media[0].Height != 5 {
				t.Errorf("%+v %+v", b.Truncated, b.Call.Media)
			}
		} else if diff := b.Truncated["diff"]; diff.Ref != "" {
			seen["diff"] = true
			if hunks := get[[]struct{ Lines []string }](w, at+"/blobs/"+diff.Ref); len(hunks) != 1 || len(hunks[0].Lines) != 5000 || b.Call.Diff != nil {
				t.Errorf("the diff has %d hunks", len(hunks))
			}
		}
	}
	if page.Total == nil || *page.Total != len(page.Blocks) || len(pictures) != 4 {
		t.Fatalf("%d of %v blocks, %d pictures", len(page.Blocks), page.Total, len(pictures))
	}
	check("png", pictures[0].Ref, "image/png", string(files["png"]), true)
	check("svg", pictures[1].Ref, "application/octet-stream", string(files["svg"]), false)
	check("html", pictures[2].Ref, "application/octet-stream", string(files["html"]), false)
	check("huge", pictures[3].Ref, "image/png", string(files["huge"]), false)
	if pictures[0].Width != 7 || pictures[1].Width != 0 || pictures[3].Width != 0 {
		t.Errorf("sizes are %+v", pictures)
	}
	for _, what := range []string{"answer", "output", "diff", "jpeg"} {
		if !seen[what] {
			t.Errorf("there was no %s", what)
		}
	}
	for _, bad := range []string{"nope", "saved.nope", "saved...%2F..%2Fx", "line-1", "..%2F..", "b10b0000-0000-4000-8000-000000000001.99", "b10b0000-0000-4000-8000-000000000001.1.7", "b10b0000-0000-4000-8000-000000000001.-1"} {
		if r := w.ask(access.Read, http.MethodGet, at+"/blobs/"+bad, ""); r.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", bad, r.status, clipped(r.body))
		}
	}
}

// A ticket is good for one download of one thing, by who has no token.
func TestTickets(t *testing.T) {
	w := newWorld(t)
	writeBlobs(w)
	blob := "/sessions/" + blobSession + "/blobs/b10b0000-0000-4000-8000-000000000001.2"
	type newTicket struct{ Ticket, URL string }
	make := func(path string) newTicket {
		return do[newTicket](w, access.Read, "POST", "/tickets", `{"path":"`+path+`"}`, 200)
	}
	one := make(blob)
	if r := w.ask("", "GET", one.URL, ""); r.status != 200 || r.header.Get("Content-Type") != "image/png" {
		t.Errorf("a ticket gives %d %s", r.status, clipped(r.body))
	}
	if r := w.ask("", "GET", one.URL, ""); r.status != http.StatusUnauthorized {
		t.Errorf("a ticket that was used gives %d", r.status)
	}
	if r := w.ask("", "GET", "/api/v1"+make(blob).URL, ""); r.status != 200 {
		t.Errorf("the same thing under its other address: %d", r.status)
	}
	other := make(blob)
	for _, path := range []string{
		"/sessions/" + blobSession + "/blobs/b10b0000-0000-4000-8000-000000000001.3?ticket=" + other.Ticket,
		other.URL, // spent by the first
		"/projects?ticket=" + make(blob).Ticket,
		blob + "?download=true&ticket=" + make(blob).Ticket,
	} {
		if r := w.ask("", "GET", path, ""); r.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	document := make("/sessions/" + blobSession + "/export?format=text")
	if r := w.ask("", "GET", document.URL, ""); r.status != 200 {
		t.Errorf("a document by ticket: %d", r.status)
	}
	late := make(blob)
	for range 61 {
		w.clock.tick()
	}
	if r := w.ask("", "GET", late.URL, ""); r.status != http.StatusUnauthorized {
		t.Errorf("a ticket that is too old: %d", r.status)
	}
	for _, bad := range []string{"/projects", "http://evil.test/sessions/x/export", "//evil.test/sessions/x/export", "/sessions/x", "x", "/sessions/x/export?ticket=1"} {
		do[map[string]any](w, access.Read, "POST", "/tickets", `{"path":"`+bad+`"}`, 400)
	}
	gone := do[madeToken](w, access.Operate, "POST", "/tokens", `{"role":"read"}`, 200)
	r := w.ask("", "POST", "/tickets", `{"path":"`+blob+`"}`, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+gone.Token) })
	_, rest, _ := strings.Cut(string(r.body), `"ticket":"`)
	code, _, _ := strings.Cut(rest, `"`)
	do[madeToken](w, access.Operate, "DELETE", "/tokens/"+gone.ID, "", 200)
	if r := w.ask("", "GET", blob+"?ticket="+url.QueryEscape(code), ""); r.status != http.StatusUnauthorized || code == "" {
		t.Errorf("the ticket of a token that was revoked: %d", r.status)
	}
}

// Going on by above and below in either direction gives every turn once, and every
// fork says where its other ways lead.
func TestBlockWindows(t *testing.T) {
	w := sharedWorld(t)
	forks := 0
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		at := "/sessions/" + s.ID + "/blocks"
		whole := get[blocks](w, at+"?around=start&after=500&count=true")
		var down, up []string
		for page := get[blocks](w, at+"?around=start&after=2"); ; page = get[blocks](w, at+"?after=3&below="+page.Next+"&leaf="+whole.Leaf) {
			for _, turn := range page.Turns {
				down = append(down, turn.ID)
			}
			if page.TurnCount != page.TurnsBefore+len(page.Turns)+page.TurnsAfter || page.TurnCount != whole.TurnCount {
				t.Fatalf("%s: %+v", s.ID, page)
			}
			if page.Next == "" {
				break
			}
		}
		for page := get[blocks](w, at+"?around=end&before=2"); ; page = get[blocks](w, at+"?before=3&above="+page.Prev+"&leaf="+whole.Leaf) {
			for i := range page.Turns {
				up = append(up, page.Turns[len(page.Turns)-1-i].ID)
			}
			if page.Prev == "" {
				break
			}
		}
		if len(down) != whole.TurnCount || len(up) != whole.TurnCount {
			t.Errorf("%s: %d turns down, %d up, %d in all", s.ID, len(down), len(up), whole.TurnCount)
			continue
		}
		for i, turn := range whole.Turns {
			if turn.Index != i || down[i] != turn.ID || up[len(up)-1-i] != turn.ID {
				t.Errorf("%s: turn %d is %s, %s and %s", s.ID, i, turn.ID, down[i], up[len(up)-1-i])
			}
			if turn.Siblings == nil {
				continue
			}
			forks++
			if other := turn.Siblings; other.Total != len(other.Turns) || other.Turns[other.Step-1].ID != turn.ID || other.Total < 2 {
				t.Errorf("%s: turn %d has %+v", s.ID, i, other)
			}
			for n, other := range turn.Siblings.Turns {
				there := get[blocks](w, at+"?around="+other.ID+"&before=0&after=0&leaf="+other.Leaf)
				if there.Leaf != other.Leaf || there.Turns[0].ID != other.ID || there.Turns[0].Siblings.Step != n+1 {
					t.Errorf("%s: way %d of turn %d leads to %+v", s.ID, n+1, i, there.Turns)
				}
			}
		}
	}
	if forks == 0 {
		t.Error("no conversation forks")
	}
}

// The outline has every prompt of the conversation, where it stands.
func TestOutline(t *testing.T) {
	w := sharedWorld(t)
	compactions := 0
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		at := "/sessions/" + s.ID
		type outline struct {
			Items []struct {
				Kind, MessageID, Text string
				Turn                  int
				Compaction            *struct{ BeforeTokens int }
			}
			Total, TurnCount int
		}
		few, all := get[outline](w, at+"/outline"), get[outline](w, at+"/outline?all=true")
		var roles []string
		for _, turn := range get[struct{ Turns []struct{ Role string } }](w, at+"/blocks?around=start&after=500").Turns {
			roles = append(roles, turn.Role)
		}
		prompts := 0
		for _, item := range few.Items {
			if item.Kind == "prompt" {
				prompts++
				if roles[item.Turn] != "prompt" {
					t.Errorf("%s: turn %d is a %s", s.ID, item.Turn, roles[item.Turn])
				}
			} else if item.Compaction != nil {
				compactions++
			}
		}
		want := 0
		for _, role := range roles {
			if role == "prompt" {
				want++
			}
		}
		if prompts != want || few.Total != len(few.Items) || all.Total < few.Total || few.TurnCount != len(roles) {
			t.Errorf("%s: %d prompts of %d, %d items, %d with all, %d turns of %d", s.ID, prompts, want, few.Total, all.Total, few.TurnCount, len(roles))
		}
	}
	if compactions == 0 {
		t.Error("nothing was compacted")
	}
}

// A fork repeats lines whose outputs lie beside the session it is of: they are found
// from both.
func TestSavedOutputsOfForks(t *testing.T) {
	w := sharedWorld(t)
	type block struct {
		Truncated map[string]struct{ Ref string }
	}
	found := map[bool]int{}
	for _, s := range get[struct {
		Sessions []struct{ ID, ForkedFrom string }
	}](w, "/sessions?limit=500").Sessions {
		for _, b := range get[struct{ Blocks []block }](w, "/sessions/"+s.ID+"/blocks?around=start&after=500").Blocks {
			for field, cut := range b.Truncated {
				r := w.ask(access.Read, http.MethodGet, "/sessions/"+s.ID+"/blobs/"+url.PathEscape(cut.Ref), "")
				if r.status != 200 || len(r.body) == 0 {
					t.Errorf("%s: all of the %s at %s: %d %s", s.ID, field, cut.Ref, r.status, clipped(r.body))
				}
				if strings.HasPrefix(cut.Ref, "saved.") {
					found[s.ForkedFrom != ""]++
				}
			}
		}
	}
	if found[true] == 0 || found[false] == 0 {
		t.Errorf("outputs of forks and others that were saved: %v", found)
	}
}
