package storetest

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// persistAbove is the length of Bash output that newer clients put into a
// file of its own, inlineOutput what they still keep in toolUseResult.
const (
	persistAbove = 30000
	inlineOutput = 38000
)

// result writes the row that answers c, and what comes before it.
func (k *talk) result(c *call) {
	parent := c.row
	if k.c.linear() {
		parent = k.tip
	}
	if k.c.era == era21 {
		k.tip = c.row
		k.progressOf(c)
		if k.c.threaded() {
			parent = k.tip
		}
	}
	switch {
	case c.agent != nil:
		k.delegate(c, parent)
	case c.tool == "Workflow":
		k.runWorkflow(c, parent)
	case k.s.rng.IntN(25) == 0:
		k.refused(c, parent)
	default:
		k.worked(c, parent)
	}
}

// worked writes the result of an ordinary tool.
func (k *talk) worked(c *call, parent string) {
	s := k.s
	n := min(int(float64(s.size(2000, 1.75))*s.mix.factor(useResult, toolResult)), s.longest)
	switch c.tool {
	case "Edit", "Write":
		k.edited(c, parent, s.hugeOr(n))
	case "Read":
		body := k.compose(&s.body, k.resultSpot(), n/2, s.code)
		k.answered(c, parent, func() { k.bytes(number(&s.extra, body)) }, func() { k.readFile(c, body) })
	case "Grep":
		body := k.compose(&s.body, k.resultSpot(), n/2, s.grep)
		k.answered(c, parent, func() { k.bytes(body) }, func() { k.grepped(body) })
	case "TodoWrite":
		const note = "Todos have been modified successfully."
		k.answered(c, parent, func() { k.str(note) }, func() {
			k.raw(`{"oldTodos":[],"newTodos":`)
			k.todos(inUseResultDeep)
			k.raw(`}`)
		})
	case "Bash":
		k.ran(c, parent, n/2)
	default:
		k.listed(c, parent, n/2)
	}
}

func (k *talk) resultSpot() string {
	switch {
	case k.inline():
		return inInline
	case k.agent != "":
		return inAgentResult
	}
	return inResult
}

// answered writes a result row: content is what the model got, structured
// what the client kept.
func (k *talk) answered(c *call, parent string, content, structured func()) {
	k.openResult(c, parent)
	content()
	k.midResult(c, false)
	structured()
	k.closeResult(c)
}

func (k *talk) openResult(c *call, parent string) {
	k.open(parent)
	k.member(k.promptID)
	k.raw(`,"type":"user","message":{"role":"user","content":[`)
	k.s.from = len(k.b)
	k.raw(`{"tool_use_id":"`)
	k.raw(c.id)
	k.raw(`","type":"tool_result","content":`)
}

func (k *talk) midResult(c *call, isError bool) {
	if isError {
		k.raw(`,"is_error":true`)
	} else if c.tool == "Bash" {
		k.raw(`,"is_error":false`)
	}
	k.raw(`}`)
	k.is(toolResult, k.s.from)
	k.raw(`]}`)
	k.s.row = k.stamp()
	k.raw(`,"toolUseResult":`)
	k.s.from = len(k.b)
}

func (k *talk) closeResult(c *call) {
	k.is(useResult, k.s.from)
	if k.c.era >= era21 {
		k.kv("sourceToolAssistantUUID", c.row)
	}
	if k.c.era == eraNow {
		k.raw(`,"permissionDecision":{"decision":"accept","source":"config","reasonType":"mode"}`)
	}
	k.shut(k.s.row, envelope)
	k.userRow()
}

// ran writes the result of a command.
func (k *talk) ran(c *call, parent string, n int) {
	s := k.s
	saved := ""
	if k.c.era >= era21 && (n > persistAbove || s.rng.IntN(80) == 0) {
		saved = k.overflow(max(persistAbove, min(n, 200<<10)))
		n = inlineOutput
	}
	body := k.compose(&s.body, k.resultSpot(), n, s.output)
	k.answered(c, parent, func() {
		if saved == "" {
			k.bytes(body)
			return
		}
		k.raw(`"<persisted-output>\nOutput too large (`)
		k.num(int64(n >> 10))
		k.raw(`KB). Full output saved to: `)
		k.raw(saved)
		k.raw(`\n\nPreview (first 2KB):\n`)
		preview := appendJSON(s.extra[:0], bytes.ToValidUTF8(body[:min(2000, len(body))], nil))
		k.raw(string(preview[1 : len(preview)-1]))
		k.raw(`\n...\n</persisted-output>"`)
	}, func() {
		k.raw(`{"stdout":`)
		k.bytes(body)
		k.raw(`,"stderr":`)
		k.bytes(k.plant(s.small[:0], inUseResult))
		k.raw(`,"interrupted":false,"isImage":false`)
		if saved != "" {
			k.kv("persistedOutputPath", saved)
			k.kn("persistedOutputSize", int64(n))
		}
		k.raw(`}`)
	})
}

// overflow writes a tool-results file and returns the path the row names,
// which is that of another machine.
func (k *talk) overflow(n int) string {
	s := k.s
	dir := path.Join(path.Dir(k.home()), k.sid, "tool-results")
	name := s.id("b", 8) + ".txt"
	file := filepath.Join(s.dir, filepath.FromSlash(dir), name)
	s.fail(writeFile(file, s.output(s.extra[:0], n)))
	s.fail(os.Chtimes(file, k.at, k.at))
	return "/home/dev/.claude/" + dir + "/" + name
}

// home is the transcript of the session, seen from an agent's too.
func (k *talk) home() string {
	if k.agent == "" || k.inline() {
		return k.truth.Name
	}
	return k.truth.Session
}

func (k *talk) readFile(c *call, body []byte) {
	lines := int64(bytes.Count(body, []byte("\n")))
	k.raw(`{"type":"text","file":{"filePath":`)
	k.str(c.path)
	k.raw(`,"content":`)
	k.bytes(body)
	k.kn("numLines", lines)
	k.raw(`,"startLine":1`)
	k.kn("totalLines", lines)
	k.raw(`}}`)
}

func (k *talk) grepped(body []byte) {
	k.raw(`{"mode":"content","numFiles":0,"filenames":[],"content":`)
	k.bytes(body)
	k.kn("numLines", int64(bytes.Count(body, []byte("\n"))))
	k.raw(`}`)
}

// edited writes the result of an edit or a write of a file of n bytes.
func (k *talk) edited(c *call, parent string, n int) {
	s := k.s
	text := c.new
	k.answered(c, parent, func() {
		k.str("The file " + c.path + " has been updated successfully.")
	}, func() {
		k.raw(`{"filePath":`)
		k.str(c.path)
		if c.tool == "Write" {
			k.raw(`,"type":"update","content":`)
			k.bytes(text)
		} else {
			k.raw(`,"oldString":`)
			k.bytes(c.old)
			k.raw(`,"newString":`)
			k.bytes(text)
		}
		k.raw(`,"originalFile":`)
		k.text(inUseResult, n, s.code)
		k.raw(`,"structuredPatch":[{"oldStart":12,"oldLines":3,"newStart":12,"newLines":4,"lines":[`)
		for i := range 4 {
			k.raw([]string{`" `, `,"-`, `,"+`, `,"+`}[i])
			line := s.small[:0]
			line, _ = s.statement(line, 0)
			line = appendJSON(nil, k.plant(line, inUseResultDeep))
			k.raw(string(line[1:]))
		}
		k.raw(`]}],"userModified":false,"replaceAll":false}`)
	})
}

// listed writes the result of an MCP tool: blocks in both places.
func (k *talk) listed(c *call, parent string, n int) {
	s := k.s
	spot := inResultBlock
	if k.agent != "" || k.inline() {
		spot = k.resultSpot()
	}
	body := k.compose(&s.body, spot, n, s.output)
	blocks := func(deep string) {
		k.raw(`[{"type":"text","text":`)
		k.bytes(body)
		k.raw(`}`)
		if deep != "" {
			k.raw(`,{"type":"resource","resource":{"meta":{"tags":["a",{"note":`)
			k.text(deep, 20, s.prose)
			k.raw(`}]}}}`)
		}
		k.raw(`]`)
	}
	k.answered(c, parent, func() { blocks("") }, func() { blocks(inUseResultDeep) })
}

// refused writes the result of a call that failed.
func (k *talk) refused(c *call, parent string) {
	k.openResult(c, parent)
	k.raw(`"<tool_use_error>File has not been read yet. Read it first.</tool_use_error>"`)
	k.midResult(c, true)
	k.bytes(k.plant(append(k.s.small[:0], "Error: File has not been read yet."...), inUseResultText))
	k.closeResult(c)
}

// number puts line numbers before the lines of body, as Read shows them.
func number(buf *[]byte, body []byte) []byte {
	dst := (*buf)[:0]
	for i := 1; len(body) > 0; i++ {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, '\t')
		dst = append(dst, line...)
		dst = append(dst, '\n')
		body = rest
	}
	*buf = dst
	return dst
}

// grep writes hits of a search.
func (t *texts) grep(dst []byte, n int) []byte {
	for end := len(dst) + n; len(dst) < end; {
		dst = t.found(dst)
		dst = append(dst, '\n')
	}
	return dst
}
