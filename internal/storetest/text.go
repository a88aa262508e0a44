package storetest

import (
	"math/rand/v2"
	"strconv"
)

// texts writes made-up text. Every method appends about n bytes to dst; none
// allocates but for growing dst.
type texts struct {
	rng  *rand.Rand
	bits uint64
	left int
}

// word draws a word by its frequency. One random number serves four words.
func (t *texts) word() string {
	if t.left == 0 {
		t.bits, t.left = t.rng.Uint64(), 4
	}
	i := lexicon().draw[uint16(t.bits)]
	t.bits >>= 16
	t.left--
	return lexicon().words[i]
}

func (t *texts) one(from []string) string { return from[t.rng.IntN(len(from))] }

func (t *texts) part() string { return t.one(lexicon().parts) }

// prose writes sentences, with a list or a quoted name in between.
func (t *texts) prose(dst []byte, n int) []byte {
	for end := len(dst) + n; len(dst) < end; {
		dst = t.sentence(dst, end-len(dst))
		switch t.rng.IntN(12) {
		case 0:
			dst = append(dst, "\n\n"...)
		case 1:
			dst = append(dst, "\n- "...)
		default:
			dst = append(dst, ' ')
		}
	}
	return dst
}

func (t *texts) sentence(dst []byte, room int) []byte {
	start := len(dst)
	for i := range 4 + t.rng.IntN(14) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = t.term(dst)
		if len(dst)-start >= room {
			break
		}
	}
	if c := dst[start]; c >= 'a' && c <= 'z' {
		dst[start] = c - 'a' + 'A'
	}
	return append(dst, "................?!:,"[t.rng.IntN(20)])
}

// term writes a word, or now and then something that is not one.
func (t *texts) term(dst []byte) []byte {
	switch r := t.rng.IntN(400); {
	case r < 12:
		return t.quoted(dst, '`')
	case r < 18:
		dst = append(dst, '"')
		dst = append(dst, t.word()...)
		return append(dst, '"')
	case r < 24:
		return t.path(dst)
	case r < 26:
		return append(dst, t.one(foreign)...)
	case r < 27:
		return append(dst, `C:\src\`+"main.go"...)
	case r < 34:
		return strconv.AppendInt(dst, int64(t.rng.IntN(5000)), 10)
	}
	return append(dst, t.word()...)
}

func (t *texts) quoted(dst []byte, q byte) []byte {
	dst = append(dst, q)
	dst = t.ident(dst)
	return append(dst, q)
}

// ident writes an identifier in camelCase or snake_case.
func (t *texts) ident(dst []byte) []byte {
	snake := t.rng.IntN(3) == 0
	for i := range 2 + t.rng.IntN(2) {
		p := t.part()
		switch {
		case i == 0:
		case snake:
			dst = append(dst, '_')
		default:
			dst = append(dst, p[0]-'a'+'A')
			p = p[1:]
		}
		dst = append(dst, p...)
	}
	return dst
}

var extensions = []string{".go", ".ts", ".py", ".rs", ".md", ".json", "_test.go", ".tsx", ".sql", ".yaml"}

// path writes a relative file path.
func (t *texts) path(dst []byte) []byte {
	for range 1 + t.rng.IntN(3) {
		dst = append(dst, t.part()...)
		dst = append(dst, '/')
	}
	dst = append(dst, t.part()...)
	return append(dst, t.one(extensions)...)
}

// code writes source lines of no certain language.
func (t *texts) code(dst []byte, n int) []byte {
	depth := 0
	for end := len(dst) + n; len(dst) < end; {
		for range depth {
			dst = append(dst, '\t')
		}
		dst, depth = t.statement(dst, depth)
		dst = append(dst, '\n')
	}
	return dst
}

func (t *texts) statement(dst []byte, depth int) ([]byte, int) {
	switch r := t.rng.IntN(10); {
	case r == 0 && depth < 4:
		dst = append(dst, "if "...)
		dst = t.ident(dst)
		return append(dst, " != nil {"...), depth + 1
	case r <= 2 && depth > 0:
		return append(dst, '}'), depth - 1
	case r == 3:
		dst = append(dst, "// "...)
		return t.sentence(dst, 60), depth
	case r == 4:
		dst = t.ident(dst)
		dst = append(dst, ` := "`...)
		dst = append(dst, t.word()...)
		return append(dst, `\n"`...), depth
	}
	dst = t.ident(dst)
	dst = append(dst, " = "...)
	dst = t.ident(dst)
	dst = append(dst, '(')
	dst = t.ident(dst)
	dst = append(dst, ", "...)
	dst = strconv.AppendInt(dst, int64(t.rng.IntN(100)), 10)
	return append(dst, ')'), depth
}

// output writes what commands print: logs, listings, test results.
func (t *texts) output(dst []byte, n int) []byte {
	kind := t.rng.IntN(4)
	for end := len(dst) + n; len(dst) < end; {
		switch kind {
		case 0:
			dst = append(dst, "ok  \t"...)
			dst = t.path(dst)
			dst = append(dst, "\t0."...)
			dst = strconv.AppendInt(dst, int64(t.rng.IntN(900)), 10)
			dst = append(dst, 's')
		case 1:
			dst = t.found(dst)
		case 2:
			dst = append(dst, "2026-10-0"...)
			dst = strconv.AppendInt(dst, int64(1+t.rng.IntN(9)), 10)
			dst = append(dst, "T12:00:00 "...)
			dst = append(dst, t.one([]string{"INFO ", "WARN ", "ERROR ", "DEBUG "})...)
			dst = t.sentence(dst, 90)
		default:
			dst = append(dst, "-rw-r--r-- 1 dev dev "...)
			dst = strconv.AppendInt(dst, int64(t.rng.IntN(90000)), 10)
			dst = append(dst, ' ')
			dst = t.path(dst)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// found writes one hit of a search: path, line number, code.
func (t *texts) found(dst []byte) []byte {
	dst = t.path(dst)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(1+t.rng.IntN(900)), 10)
	dst = append(dst, ":\t"...)
	dst, _ = t.statement(dst, 0)
	return dst
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64 writes n digits of base64.
func (t *texts) base64(dst []byte, n int) []byte {
	for n > 0 {
		bits := t.rng.Uint64()
		for range min(n, 10) {
			dst = append(dst, base64Digits[bits&63])
			bits >>= 6
		}
		n -= 10
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// hex writes n hexadecimal digits.
func (t *texts) hex(dst []byte, n int) []byte {
	for n > 0 {
		bits := t.rng.Uint64()
		for range min(n, 16) {
			dst = append(dst, hexDigits[bits&15])
			bits >>= 4
		}
		n -= 16
	}
	return dst
}

// id is a new identifier: prefix and n hexadecimal digits.
func (t *texts) id(prefix string, n int) string {
	return string(t.hex([]byte(prefix), n))
}

// uuid is a new random UUID of version 4.
func (t *texts) uuid() string {
	var b [36]byte
	h := t.hex(b[:0], 36)
	h[8], h[13], h[18], h[23] = '-', '-', '-', '-'
	h[14], h[19] = '4', "89ab"[h[19]&3]
	return string(h)
}
