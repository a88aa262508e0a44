package calls

import (
	"encoding/binary"
	"slices"

	"sesskeep/internal/index/db"
	"sesskeep/internal/packed"
)

// The bits at the start of a packed call. They say which of its other values follow.
const (
	bitCounted = 1 << iota
	bitFailed
	bitAnswered
	bitMeasured
	bitLine
	bitResult
	bitFile
	bitBranch // another one than that of the call before
	bitPrompt // another one than that of the call before
)

// Pack writes the calls in few bytes: all of them, or the pieces that changed.
func (f *Fold) Pack(all bool) (list []db.Piece) {
	for n := 0; n*pieceSize < len(f.list); n++ {
		if all || f.changed[n] {
			list = append(list, db.Piece{N: n, Body: pack(f.list[n*pieceSize : min((n+1)*pieceSize, len(f.list))])})
		}
	}
	return list
}

// names numbers texts in the order they are first met.
type names struct {
	list   []string
	number map[string]int
}

func (n *names) of(name string) int {
	i, ok := n.number[name]
	if !ok {
		if n.number == nil {
			n.number = map[string]int{}
		}
		i = len(n.list)
		n.number[name] = i
		n.list = append(n.list, name)
	}
	return i
}

// pack writes the names of tools and branches, the files, and then one call after
// another. Numbers are written as the difference from the call before.
func pack(calls []Call) []byte {
	var tools, files, branches names
	var body []byte
	last := Call{}
	for i := range calls {
		c := &calls[i]
		bits := c.bits(&last)
		body = binary.AppendUvarint(body, bits)
		body = binary.LittleEndian.AppendUint64(body, c.ID)
		body = binary.AppendUvarint(body, uint64(tools.of(c.Tool)))
		body = binary.AppendVarint(body, c.Time-last.Time)
		if bits&bitFile != 0 {
			body = binary.AppendUvarint(body, uint64(files.of(c.File)))
		}
		if bits&bitBranch != 0 {
			body = binary.AppendUvarint(body, uint64(branches.of(c.Branch)))
		}
		if bits&bitAnswered != 0 {
			body = binary.AppendVarint(body, c.Took)
		}
		if bits&bitMeasured != 0 {
			body = binary.AppendUvarint(binary.AppendUvarint(body, uint64(c.Added)), uint64(c.Removed))
		}
		at := last.Line
		if bits&bitLine != 0 {
			body = c.Line.pack(body, last.Line)
			at = c.Line
		}
		if bits&bitResult != 0 {
			body = c.Result.pack(body, at)
			at = c.Result
		}
		if bits&bitPrompt != 0 {
			body = c.Prompt.pack(body, last.Prompt)
		}
		last = *c
		last.Line = at
	}
	raw := appendNames(nil, tools.list)
	raw = appendNames(raw, branches.list)
	return append(appendPaths(raw, files.list), body...)
}

func (c *Call) bits(last *Call) (bits uint64) {
	for i, is := range [...]bool{
		c.Counted, c.Failed, c.Answered, c.Measured, c.Line != Line{}, c.Result != Line{}, c.File != "",
		c.Branch != last.Branch, c.Prompt != last.Prompt,
	} {
		if is {
			bits |= 1 << i
		}
	}
	return bits
}

func (l Line) pack(raw []byte, from Line) []byte {
	raw = binary.AppendVarint(raw, int64(l.Number-from.Number))
	raw = binary.AppendVarint(raw, l.Offset-from.Offset)
	return binary.AppendUvarint(raw, uint64(l.Length))
}

func appendNames(raw []byte, list []string) []byte {
	raw = binary.AppendUvarint(raw, uint64(len(list)))
	for _, name := range list {
		raw = append(binary.AppendUvarint(raw, uint64(len(name))), name...)
	}
	return raw
}

// appendPaths writes of each path what differs from the one before.
func appendPaths(raw []byte, list []string) []byte {
	raw = binary.AppendUvarint(raw, uint64(len(list)))
	last := ""
	for _, path := range list {
		same := 0
		for same < min(len(path), len(last)) && path[same] == last[same] {
			same++
		}
		raw = binary.AppendUvarint(raw, uint64(same))
		raw = append(binary.AppendUvarint(raw, uint64(len(path)-same)), path[same:]...)
		last = path
	}
	return raw
}

// Reader reads packed calls. It keeps the names of tools and branches, which thousands
// of files share.
type Reader struct {
	in                     packed.Reader
	known                  map[string]string
	tools, branches, files []string
}

// Each gives the calls of a piece one after another. A Call is valid until the next.
func (r *Reader) Each(piece []byte, visit func(c *Call)) error {
	r.open(piece)
	return r.each(visit)
}

// EachOn is Each for the calls on files that are wanted. Of a piece that has none, it
// reads only the names.
func (r *Reader) EachOn(piece []byte, wanted func(file string) bool, visit func(c *Call)) error {
	r.open(piece)
	if !r.in.Bad() && !slices.ContainsFunc(r.files, wanted) {
		return nil
	}
	return r.each(func(c *Call) {
		if c.File != "" && wanted(c.File) {
			visit(c)
		}
	})
}

// open reads the names of a piece.
func (r *Reader) open(piece []byte) {
	r.in = packed.Read(piece)
	if len(piece) == 0 {
		return
	}
	if r.known == nil {
		r.known = map[string]string{}
	}
	r.tools, r.branches = r.names(r.tools[:0]), r.names(r.branches[:0])
	r.files = r.paths(r.files[:0])
}

func (r *Reader) each(visit func(c *Call)) error {
	var c Call
	last := Line{}
	for r.in.More() {
		bits := r.in.Number()
		r.read(&c, &last, bits)
		if !r.in.Bad() {
			visit(&c)
		}
	}
	if r.in.Bad() {
		return db.ErrPacked
	}
	return nil
}

// read reads the next call over the one before; last is the line read before.
func (r *Reader) read(c *Call, last *Line, bits uint64) {
	if id := r.in.Bytes(8); id != nil {
		c.ID = binary.LittleEndian.Uint64(id)
	}
	c.Tool = r.oneOf(r.tools)
	c.Time += r.in.Signed()
	c.Counted, c.Failed, c.Answered, c.Measured = bits&bitCounted != 0, bits&bitFailed != 0, bits&bitAnswered != 0, bits&bitMeasured != 0
	if c.File = ""; bits&bitFile != 0 {
		c.File = r.oneOf(r.files)
	}
	if bits&bitBranch != 0 {
		c.Branch = r.oneOf(r.branches)
	}
	if c.Took = 0; c.Answered {
		c.Took = r.in.Signed()
	}
	if c.Added, c.Removed = 0, 0; c.Measured {
		c.Added, c.Removed = int64(r.in.Number()), int64(r.in.Number())
	}
	if c.Line = (Line{}); bits&bitLine != 0 {
		c.Line = r.line(*last)
		*last = c.Line
	}
	if c.Result = (Line{}); bits&bitResult != 0 {
		c.Result = r.line(*last)
		*last = c.Result
	}
	if bits&bitPrompt != 0 {
		c.Prompt = r.line(c.Prompt)
	}
}

func (r *Reader) line(from Line) Line {
	return Line{from.Number + int(r.in.Signed()), from.Offset + r.in.Signed(), int64(r.in.Number())}
}

func (r *Reader) oneOf(list []string) string {
	n := r.in.Number()
	if n >= uint64(len(list)) {
		r.in.Fail()
		return ""
	}
	return list[n]
}

func (r *Reader) names(list []string) []string {
	for n := r.in.Number(); n > 0 && !r.in.Bad(); n-- {
		text := r.in.Text()
		name, ok := r.known[string(text)]
		if !ok {
			name = string(text)
			r.known[name] = name
		}
		list = append(list, name)
	}
	return list
}

func (r *Reader) paths(list []string) []string {
	last := ""
	for n := r.in.Number(); n > 0 && !r.in.Bad(); n-- {
		same := r.in.Number()
		if same > uint64(len(last)) {
			r.in.Fail()
			break
		}
		last = last[:same] + string(r.in.Text())
		list = append(list, last)
	}
	return list
}
