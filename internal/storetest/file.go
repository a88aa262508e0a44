package storetest

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	kindSession = "session"
	kindAgent   = "agent"
)

// file is a transcript being written, one line at a time, with the truth
// about what was written so far.
type file struct {
	s     *shard
	f     *os.File
	w     *bufio.Writer
	b     []byte // the line being built
	parts [nparts]int
	here  []Needle // in the line being built
	truth File
	start time.Time // stands for the times of a file without rows

	bare bool // no needles: other files repeat these lines
}

// create starts a transcript. Errors stay in the shard until it ends.
func (s *shard) create(name, kind string, start time.Time) *file {
	f := &file{s: s, start: start, truth: File{Name: name, Kind: kind}}
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.fail(err)
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	s.fail(err)
	f.f, f.w = out, s.writer()
	f.w.Reset(out)
	return f
}

// writer is one that no open transcript uses.
func (s *shard) writer() *bufio.Writer {
	if n := len(s.writers); n > 0 {
		w := s.writers[n-1]
		s.writers = s.writers[:n-1]
		return w
	}
	return bufio.NewWriterSize(nil, 64<<10)
}

// done closes the transcript and adds the facts that a reader has to find in it to the shard.
func (f *file) done() {
	if f.truth.Conversations == 0 && f.truth.UserLines > 0 {
		f.truth.Conversations = 1
	}
	if f.truth.LastTime.IsZero() {
		f.truth.FirstTime, f.truth.LastTime = f.start, f.start
	}
	f.s.fail(f.w.Flush())
	if f.f != nil {
		f.s.fail(f.f.Close())
	}
	f.s.writers = append(f.s.writers, f.w)
	path := filepath.Join(f.s.dir, filepath.FromSlash(f.truth.Name))
	f.s.fail(os.Chtimes(path, f.truth.LastTime, f.truth.LastTime))
	f.s.files = append(f.s.files, f.truth)
}

// end closes a line. Bytes that have no part yet go to rest.
func (f *file) end(rest part) {
	f.b = append(f.b, '\n')
	n := len(f.b)
	for _, m := range f.parts {
		n -= m
	}
	f.parts[rest] += n
	f.s.mix.count(&f.parts)
	f.parts = [nparts]int{}
	f.flush()
	f.truth.Entries++
}

// flush writes the line as it is.
func (f *file) flush() {
	_, err := f.w.Write(f.b)
	f.s.fail(err)
	f.truth.Lines++
	f.truth.Bytes += int64(len(f.b))
	f.s.written += int64(len(f.b))
	for _, n := range f.here {
		n.File, n.Line = f.truth.Name, f.truth.Lines
		f.s.needles.planted = append(f.s.needles.planted, n)
	}
	f.b, f.here = f.b[:0], f.here[:0]
}

func (f *file) raw(s string)   { f.b = append(f.b, s...) }
func (f *file) str(s string)   { f.b = appendJSON(f.b, s) }
func (f *file) bytes(s []byte) { f.b = appendJSON(f.b, s) }
func (f *file) num(n int64)    { f.b = strconv.AppendInt(f.b, n, 10) }
func (f *file) time(t time.Time) {
	f.b = append(f.b, '"')
	f.b = t.UTC().AppendFormat(f.b, "2006-01-02T15:04:05.000Z")
	f.b = append(f.b, '"')
}

// kv writes a further member of an object: a comma, the key, a string.
func (f *file) kv(key, value string) {
	f.b = append(f.b, `,"`...)
	f.b = append(f.b, key...)
	f.b = append(f.b, `":`...)
	f.str(value)
}

// kn writes a further member of an object that is a number.
func (f *file) kn(key string, n int64) {
	f.b = append(f.b, `,"`...)
	f.b = append(f.b, key...)
	f.b = append(f.b, `":`...)
	f.num(n)
}

// nullable writes a string, or null for an empty one.
func (f *file) nullable(s string) {
	if s == "" {
		f.raw("null")
		return
	}
	f.str(s)
}

// is counts the bytes written since from as p.
func (f *file) is(p part, from int) { f.parts[p] += len(f.b) - from }

// plant puts a needle for spot at the end of dst, if one is due.
func (f *file) plant(dst []byte, spot string) []byte {
	if f.bare {
		return dst
	}
	w, ok := f.s.needles.next(spot, f.s.progress())
	if !ok {
		return dst
	}
	f.here = append(f.here, Needle{Text: w.text, Spot: spot})
	dst = append(dst, w.before...)
	dst = append(dst, w.text...)
	return append(dst, w.after...)
}

// compose makes a text of about n bytes into *buf, with a needle in the
// middle if one is due.
func (f *file) compose(buf *[]byte, spot string, n int, gen func([]byte, int) []byte) []byte {
	*buf = gen((*buf)[:0], n/2)
	*buf = f.plant(*buf, spot)
	*buf = gen(*buf, n-n/2)
	return *buf
}

// say writes a composed text as the string value of p.
func (f *file) say(p part, spot string, n int, gen func([]byte, int) []byte) {
	from := len(f.b)
	f.bytes(f.compose(&f.s.buf, spot, n, gen))
	f.is(p, from)
}

// appendJSON appends s as JSON.stringify writes it: only what must be escaped
// is, and text outside ASCII stays as it is.
func appendJSON[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// clip cuts s to at most n runes, as the client cuts last prompts.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
