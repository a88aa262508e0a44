package storetest

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// HostileFile is one thing Hostile has made.
type HostileFile struct {
	Name string // slash path relative to the home
	What string // what is wrong with it
	// Entries is how many whole records a reader must still get out of it, at
	// least. It is 0 for what is no regular file, which must not stop a reader.
	Entries int
}

// Secret is in files of the hostile home that must not be opened. It must never
// show up anywhere.
const Secret = "sk-hostile-canary-1f0e5c"

// Escapes is in every text of the hostile home that ends up on a screen:
// clipboard, title and cursor sequences, C1 controls, bidi overrides, bells
// and backspaces. None of its controls may reach a terminal.
const Escapes = "\x1b]52;c;aGFja2Vk\a\x1b]0;owned\a\x1b[2J\x1b[1;1H\x1b[31m\u009b31m\u0090q\u009c\u202eevil\u2066\u200f\r\b\x7f\x1b_Gf=1\x1b\\"

// hostile collects what is made.
type hostile struct {
	dir   string
	n     int
	files []HostileFile
	err   error
}

// hostileProject is the directory of most files. The large files have one of their
// own: finding the title of a session of an old client requires reading all files
// beside it.
const (
	hostileProject = "projects/-hostile"
	largeProject   = hostileProject + "-large"
	large          = 256 << 10 // bytes
)

// Hostile writes a home full of damage and malice into dir and returns what it
// wrote.
func Hostile(dir string) ([]HostileFile, error) {
	h := &hostile{dir: dir}
	h.bytes()
	h.records()
	h.trees()
	h.shapes()
	h.texts()
	h.names()
	h.sideFiles()
	h.special()
	if h.err != nil {
		return nil, fmt.Errorf("make hostile home: %w", h.err)
	}
	return h.files, nil
}

// next is the name of a session file not used yet.
func (h *hostile) next() string {
	h.n++
	return path.Join(hostileProject, fmt.Sprintf("%08x-0bad-4000-8000-%012x.jsonl", h.n, h.n))
}

func (h *hostile) fail(err error) {
	if h.err == nil {
		h.err = err
	}
}

func (h *hostile) path(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

// put writes a file under a given name, or a directory if it ends in .keep.
func (h *hostile) put(name, what string, entries int, data string) {
	h.fail(writeFile(h.path(name), []byte(data)))
	h.made(strings.TrimSuffix(name, "/"+keep), what, entries)
}

func (h *hostile) made(name, what string, entries int) {
	h.files = append(h.files, HostileFile{Name: name, What: what, Entries: entries})
}

// add writes a session file.
func (h *hostile) add(what string, entries int, data string) string {
	name := h.next()
	if len(data) > large {
		name = path.Join(largeProject, path.Base(name))
	}
	h.put(name, what, entries, data)
	return name
}

// said is a plain row: a prompt if the id begins with u, else an answer.
func said(id, parent, text string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	quoted := string(appendJSON(nil, text))
	kind, message := "user", `{"role":"user","content":`+quoted+`}`
	if !strings.HasPrefix(id, "u") {
		kind = "assistant"
		message = `{"id":"msg_` + id + `","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":` + quoted + `}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}`
	}
	return `{"parentUuid":` + up + `,"isSidechain":false,"type":"` + kind + `","message":` + message +
		`,"uuid":"` + id + `","timestamp":"2026-10-01T10:00:00.000Z","cwd":"/w","sessionId":"0","version":"2.1.325","gitBranch":"main"}`
}

// pair is a prompt and its answer, two lines.
func pair(tag string) string {
	return said("u"+tag, "", "question "+tag) + "\n" + said("a"+tag, "u"+tag, "answer "+tag) + "\n"
}

// bytes makes files that are wrong below the level of JSON.
func (h *hostile) bytes() {
	nul := strings.Repeat("\x00", 5000)
	h.add("empty file", 0, "")
	h.add("only line ends", 0, "\n\n\r\n\n")
	h.add("only NULs", 0, nul)
	h.add("NULs before, between and after records", 2, nul+said("u1", "", "a")+"\n"+nul+said("a1", "u1", "b")+"\n"+nul)
	h.add("byte order mark", 2, "\ufeff"+pair("1"))
	h.add("byte order mark on every line", 2, "\ufeff"+strings.ReplaceAll(pair("1"), "\n{", "\n\ufeff{"))
	h.add("CRLF", 2, strings.ReplaceAll(pair("1"), "\n", "\r\n"))
	h.add("last line cut in half", 2, pair("1")+said("u2", "a1", "cut")[:60])
	h.add("whole last line without line end", 3, pair("1")+said("u2", "a1", "no line end"))
	h.add("invalid UTF-8 inside a string", 2, pair("1")+`{"type":"summary","summary":"`+"\xff\xfe\xc3\x28\xed\xa0\x80"+`","leafUuid":"a1"}`+"\n")
	h.add("random bytes between records", 2, strings.Replace(pair("1"), "\n", "\n\x01\xff{[\"\\\n", 1))
	h.add("raw control bytes inside a string", 2, pair("1")+`{"type":"custom-title","customTitle":"`+"\x1b[31m\x07"+`"}`+"\n")
	h.add("record of 3 MiB", 3, pair("1")+said("u2", "a1", strings.Repeat("long ", 600<<10))+"\n")
	h.add("garbage line of 3 MiB", 2, strings.Replace(pair("1"), "\n", "\n"+strings.Repeat("garbage ", 400<<10)+"\n", 1))
	h.add("UTF-16", 0, utf16Text(pair("1")))
}

func utf16Text(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for i := range len(s) {
		b.WriteByte(s[i])
		b.WriteByte(0)
	}
	return b.String()
}

// records makes files whose lines are not one record each.
func (h *hostile) records() {
	a, b, c := said("u1", "", "one"), said("a1", "u1", "two"), said("u2", "a1", "three")
	h.add("two records glued on a line", 3, a+b+"\n"+c+"\n")
	h.add("three records glued on a line", 3, a+b+c+"\n")
	h.add("record cut off and the next glued on", 2, a+"\n"+b[:70]+c+"\n")
	h.add("record cut inside a string and the next glued on", 2, a+"\n"+b[:strings.Index(b, "two")+1]+c+"\n")
	h.add("record glued before garbage", 2, a+"\n"+b+"}}}garbage\n")
	h.add("blanks around records", 2, "  \t"+a+"  \n\t"+b+"\t \n")
	h.add("record over several lines", 1, a+"\n{\n  \"type\": \"user\",\n  \"uuid\": \"u9\"\n}\n")
	h.add("lines that are JSON but no objects", 2, "null\n42\n[]\n\"text\"\ntrue\n"+pair("1"))
	h.add("only garbage", 0, "this is not\na transcript\n")
	h.add("empty objects", 4, "{}\n{}\n"+pair("1"))
	deep := `{"type":"user","uuid":"u2","x":` + strings.Repeat(`[`, 20000) + strings.Repeat(`]`, 20000) + "}\n"
	h.add("arrays 20,000 levels deep", 2, pair("1")+deep)
	deep = `{"type":"user","uuid":"u2","x":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat(`}`, 20000) + "}\n"
	h.add("objects 20,000 levels deep", 2, pair("1")+deep)
	h.add("20,000 brackets that never close", 2, pair("1")+strings.Repeat(`{"a":[`, 20000)+"\n")
}

// trees makes files whose rows do not form a tree.
func (h *hostile) trees() {
	h.add("two rows that are each other's parent", 2, said("u1", "a1", "a")+"\n"+said("a1", "u1", "b")+"\n")
	h.add("row that is its own parent", 2, said("u1", "u1", "a")+"\n"+said("a1", "u1", "b")+"\n")
	h.add("parents that are not there", 3, said("u1", "gone", "a")+"\n"+said("a1", "u1", "b")+"\n"+said("u2", "gone2", "c")+"\n")
	h.add("every line twice", 4, pair("1")+pair("1"))
	h.add("one id for different rows", 3, pair("1")+said("u1", "a1", "another text")+"\n")
	h.add("child before its parent", 2, said("a1", "u1", "b")+"\n"+said("u1", "", "a")+"\n")
	var roots, chain, fan strings.Builder
	for i := range 5000 {
		roots.WriteString(said(fmt.Sprintf("u%d", i), "", "root") + "\n")
	}
	h.add("5,000 roots", 5000, roots.String())
	parent := ""
	for i := range 20000 {
		id := fmt.Sprintf("%c%d", "ua"[i%2], i)
		chain.WriteString(said(id, parent, "x") + "\n")
		parent = id
	}
	h.add("chain of 20,000 rows", 20000, chain.String())
	fan.WriteString(said("u", "", "root") + "\n")
	for i := range 3000 {
		fan.WriteString(said(fmt.Sprintf("u%d", i), "u", "branch") + "\n")
	}
	h.add("3,000 prompts under one row", 3001, fan.String())
	loop := said("u1", "", "a") + "\n" + said("a1", "u1", "b") + "\n" +
		`{"parentUuid":null,"logicalParentUuid":"c1","type":"system","subtype":"compact_boundary","uuid":"c1","timestamp":"2026-10-01T10:00:00.000Z"}` + "\n"
	h.add("boundary that continues itself", 3, loop)
}
