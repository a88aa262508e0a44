package jsonl_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"sesskeep/internal/jsonl"
)

// traps are files with what real transcripts and broken disks have in them.
var traps = []string{
	"",
	"\n",
	"\n\n{}\n\n",
	"{\"a\":1}\n{\"b\":2}\n",
	"{\"a\":1}\r\n{\"b\":2}\r\n",
	"\ufeff{\"a\":1}\n\ufeff{\"b\":2}\n",
	"\ufeff\n{}\n",
	"{\"a\":1}\n{\"type\":\"us",
	"{\"a\":1}\n  \t",
	"{\"a\":1}\n\x00\x00\x00",
	"\x00\x00\x00\n\x00 \x00\r\n{}\n",
	"\x00\x00{\"a\":1}\x00\x00\n",
	"{\"a\":\"x\x00y\"}\n",
	"{\"a\":\"\xff\xfe\"}\n{\"b\":\"\xed\xa0\x80\"}\n",
	"{\"a\":1}{\"b\":2}\n",
	"{\"parentUuid\":\"x\",\"t\":\"abc{\"parentUuid\":null,\"type\":\"user\"}\n",
	"{\"type\":\"user\"}\x00\x00\x00{\"type\":\"user\"}\n",
	"garbage\n[1,2]\nnull\n\"s\"\n{}",
	`{"type":{"type":{"type":`,
	`{"type"{"type"{"type"`,
}

func TestReader(t *testing.T) {
	type line struct {
		text   string
		offset int64
		skip   int
		length int64
		number int
		flaws  jsonl.Flaw
	}
	tests := []struct {
		name, file string
		want       []line
		rest       *line
		offset     int64
		number     int
	}{
		{name: "empty"},
		{"plain", "ab\nc\n", []line{{"ab", 0, 0, 3, 0, 0}, {"c", 3, 0, 2, 1, 0}}, nil, 5, 2},
		{"blank lines", "\n \t\na\n\r\n", []line{{"a", 4, 0, 2, 2, 0}}, nil, 8, 4},
		{"torn", "a\nbc", []line{{"a", 0, 0, 2, 0, 0}}, &line{"bc", 2, 0, 2, 1, 0}, 2, 1},
		{"blank rest", "a\n \t", []line{{"a", 0, 0, 2, 0, 0}}, nil, 2, 1},
		{"NUL rest", "a\n\x00\x00", []line{{"a", 0, 0, 2, 0, 0}}, &line{"", 2, 2, 2, 1, jsonl.NUL}, 2, 1},
		{"BOM", "\ufeffa\n", []line{{"a", 0, 3, 5, 0, jsonl.BOM}}, nil, 5, 1},
		{"BOM rest", "\ufeffa", nil, &line{"a", 0, 3, 4, 0, jsonl.BOM}, 0, 0},
		{"BOM alone", "\ufeff\n", nil, nil, 4, 1},
		{"late BOM", "a\n\ufeffb\n", []line{{"a", 0, 0, 2, 0, 0}, {"\ufeffb", 2, 0, 5, 1, 0}}, nil, 7, 2},
		{"CRLF", "a\r\nb\r\n", []line{{"a", 0, 0, 3, 0, jsonl.CRLF}, {"b", 3, 0, 3, 1, jsonl.CRLF}}, nil, 6, 2},
		{"half a CRLF", "a\r", nil, &line{"a", 0, 0, 2, 0, 0}, 0, 0},
		{"blanks around", " \ta \n", []line{{"a", 0, 2, 5, 0, 0}}, nil, 5, 1},
		{"NUL around", "\x00\x00a\x00\n", []line{{"a", 0, 2, 5, 0, jsonl.NUL}}, nil, 5, 1},
		{"NUL and CR", "a\x00\r\n", []line{{"a", 0, 0, 4, 0, jsonl.NUL | jsonl.CRLF}}, nil, 4, 1},
		{"NUL inside", "a\x00b\n", []line{{"a\x00b", 0, 0, 4, 0, 0}}, nil, 4, 1},
		{"all NUL", "\x00 \x00\nb\n", []line{{"", 0, 3, 4, 0, jsonl.NUL}, {"b", 4, 0, 2, 1, 0}}, nil, 6, 2},
		{"bad UTF-8", "a\xff\n", []line{{"a\xff", 0, 0, 3, 0, jsonl.BadUTF8}}, nil, 3, 1},
		{"half a character", "é\xc3", nil, &line{"é\xc3", 0, 0, 3, 0, jsonl.BadUTF8}, 0, 0},
	}
	show := func(l jsonl.Line) line {
		return line{string(l.Bytes), l.Offset, l.Skip, l.Length, l.Number, l.Flaws}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := jsonl.NewReader(strings.NewReader(tt.file), 0, 0)
			var got []line
			for r.Next() {
				got = append(got, show(r.Line()))
			}
			if len(got) != len(tt.want) {
				t.Fatalf("lines: got %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("line %d: got %+v, want %+v", i, got[i], tt.want[i])
				}
			}
			rest, ok := r.Rest()
			if ok != (tt.rest != nil) || ok && show(rest) != *tt.rest {
				t.Errorf("rest: got %+v, %v, want %+v", show(rest), ok, tt.rest)
			}
			if r.Offset() != tt.offset || r.Number() != tt.number || r.Err() != nil {
				t.Errorf("got offset %d, number %d, err %v, want %d, %d", r.Offset(), r.Number(), r.Err(), tt.offset, tt.number)
			}
		})
	}
}

// readers are used again and again, as a program with many files would.
var readers [2]jsonl.Reader

// checkLines compares a Reader with lines cut by bytes.Split, from the start
// and from every offset the Reader stops at.
func checkLines(t *testing.T, src io.ReaderAt, file []byte) {
	t.Helper()
	r, again := &readers[0], &readers[1]
	r.Reset(src, 0, 0)
	raws := bytes.SplitAfter(file, []byte("\n"))
	var at int64
	for n, raw := range raws {
		ended := bytes.HasSuffix(raw, []byte("\n"))
		text := bytes.TrimSuffix(raw, []byte("\n"))
		if n == 0 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		nul := bytes.IndexByte(text, 0) >= 0
		text = bytes.Trim(text, "\x00 \t\r")
		var got jsonl.Line
		var ok bool
		switch blank := len(text) == 0 && !nul; {
		case !ended && r.Next():
			t.Fatalf("line %d: got %q, want the end", n, r.Line().Bytes)
		case !ended:
			if got, ok = r.Rest(); ok == blank {
				t.Fatalf("rest: got %v of %q", ok, raw)
			}
		case !blank:
			again.Reset(src, at, n)
			if ok = r.Next(); !ok || !again.Next() {
				t.Fatalf("line %d: got the end, want %q", n, text)
			}
			got = r.Line()
			if !bytes.Equal(got.Bytes, again.Line().Bytes) && at > 0 {
				t.Fatalf("line %d: got %q when resumed, want %q", n, again.Line().Bytes, got.Bytes)
			}
		}
		if ok {
			checkLine(t, got, file, text, n, at, len(raw))
		}
		at += int64(len(raw))
		if end := r.Offset(); ok && ended && end != at {
			t.Fatalf("line %d: got offset %d, want %d", n, end, at)
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
}

func checkLine(t *testing.T, got jsonl.Line, file, text []byte, n int, at int64, length int) {
	t.Helper()
	if !bytes.Equal(got.Bytes, text) || got.Number != n || got.Offset != at || got.Length != int64(length) {
		t.Fatalf("got line %d at %d+%d of %d: %q, want %d at %d of %d: %q",
			got.Number, got.Offset, got.Skip, got.Length, got.Bytes, n, at, length, text)
	}
	start := got.Offset + int64(got.Skip)
	if !bytes.Equal(file[start:start+int64(len(text))], text) {
		t.Fatalf("line %d: Skip %d is wrong", n, got.Skip)
	}
	if utf8.Valid(text) == (got.Flaws&jsonl.BadUTF8 != 0) {
		t.Fatalf("line %d: got %v for %q", n, got.Flaws, text)
	}
}

func TestReaderRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var b []byte
		for range rng.IntN(40) {
			switch rng.IntN(4) {
			case 0:
				b = append(b, traps[rng.IntN(len(traps))]...)
			case 1:
				b = append(b, bytes.Repeat([]byte{'y'}, rng.IntN(400_000))...)
			default:
				b = append(b, "\n\r\x00 x"[rng.IntN(5)])
			}
		}
		checkLines(t, bytes.NewReader(b), b)
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range traps {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		checkLines(t, bytes.NewReader(file), file)
	})
}

func TestReaderMaxLine(t *testing.T) {
	const most = 600_000
	jsonl.SetMaxLine(t, most)
	long := strings.Repeat("z", most)
	tests := []struct {
		name, file string
		want       []int // lengths of Bytes, -1 for a line too long
		rest       int   // the same, 0 for none
	}{
		{"just fits", "a\n" + long + "\nb\n", []int{1, most, 1}, 0},
		{"one more", "a\n" + long + "z\nb\n", []int{1, -1, 1}, 0},
		{"many more", long + long + long + "\nb\n" + long + long + "\nc\n", []int{-1, 1, -1, 1}, 0},
		{"fits, torn", "a\n" + long, []int{1}, most},
		{"too long, torn", "a\n" + long + "z", []int{1}, -1},
		{"much too long, torn", "a\n" + long + long + long, []int{1}, -1},
	}
	size := func(l jsonl.Line) int {
		if l.Flaws&jsonl.TooLong == 0 {
			return len(l.Bytes)
		}
		if l.Bytes != nil {
			t.Error("a line too long has bytes")
		}
		return -1
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := jsonl.NewReader(strings.NewReader(tt.file), 0, 0)
			var at int64
			for i, want := range tt.want {
				if !r.Next() || size(r.Line()) != want {
					t.Fatalf("line %d: got %d bytes, want %d", i, size(r.Line()), want)
				}
				l := r.Line()
				if at += l.Length; l.Number != i || l.Offset+l.Length != at || tt.file[at-1] != '\n' || r.Offset() != at {
					t.Fatalf("line %d: got number %d, %d+%d", i, l.Number, l.Offset, l.Length)
				}
			}
			if r.Next() {
				t.Fatal("got another line")
			}
			rest, ok := r.Rest()
			if ok != (tt.rest != 0) || ok && (size(rest) != tt.rest || rest.Offset != at || rest.Offset+rest.Length != int64(len(tt.file))) {
				t.Fatalf("rest: got %d bytes at %d of %d, want %d", size(rest), rest.Offset, rest.Length, tt.rest)
			}
			if r.BufferSize() > most+1 {
				t.Errorf("got a buffer of %d bytes", r.BufferSize())
			}
		})
	}
}

func TestReaderLetsGo(t *testing.T) {
	file := strings.Repeat("x", 9<<20) + "\n" + strings.Repeat("y\n", 1<<20)
	r := jsonl.NewReader(strings.NewReader(file), 0, 0)
	for r.Next() {
	}
	if got := r.BufferSize(); got > 256<<10 {
		t.Errorf("got a buffer of %d bytes after a long line", got)
	}
}

// failing gives the bytes of text and then an error that is not io.EOF.
type failing struct{ text string }

var errDisk = errors.New("disk on fire")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n, _ := strings.NewReader(f.text).ReadAt(p, off)
	return n, errDisk
}

func TestReaderError(t *testing.T) {
	r := jsonl.NewReader(failing{"a\nb\nhalf"}, 0, 0)
	n := 0
	for r.Next() {
		n++
	}
	if _, ok := r.Rest(); n != 2 || ok || !errors.Is(r.Err(), errDisk) || r.Offset() != 4 {
		t.Errorf("got %d lines, rest %v, offset %d, err %v", n, ok, r.Offset(), r.Err())
	}
	r.Reset(strings.NewReader("c\n"), 0, 7)
	if !r.Next() || r.Line().Number != 7 || r.Err() != nil {
		t.Errorf("after Reset: got %+v, %v", r.Line(), r.Err())
	}
}

// short gives at most n bytes at a time, which io.ReaderAt forbids and some
// network file systems do.
type short struct {
	*bytes.Reader
	n int
}

func (s short) ReadAt(p []byte, off int64) (int, error) {
	return s.Reader.ReadAt(p[:min(len(p), s.n)], off)
}

func TestReaderShortReads(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 64} {
		for _, s := range traps {
			if len(s) < 1000 {
				checkLines(t, short{bytes.NewReader([]byte(s)), n}, []byte(s))
			}
		}
	}
}

func TestFlawString(t *testing.T) {
	tests := []struct {
		flaw jsonl.Flaw
		want string
	}{
		{0, ""},
		{jsonl.BOM, "byte order mark"},
		{jsonl.NotJSON, "not JSON"},
		{jsonl.NUL | jsonl.CRLF, "CRLF line end, NUL bytes"},
	}
	for _, tt := range tests {
		if got := tt.flaw.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
