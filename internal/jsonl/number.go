package jsonl

import (
	"math"
	"strconv"
)

// number skips the number at i. If there is none, or only a part of one, it returns
// where it stops being one.
func number(b []byte, i int) (end int, ok bool) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i, ok = digits(b, i); !ok {
		return i, false
	}
	if i < len(b) && b[i] == '.' {
		if i, ok = digits(b, i+1); !ok {
			return i, false
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digits(b, i)
	}
	return i, true
}

// digits skips one or more digits.
func digits(b []byte, i int) (end int, ok bool) {
	start := i
	for i < len(b) && b[i]-'0' < 10 {
		i++
	}
	return i, i > start
}

// Int returns the next value if it is a number, or a string that holds one,
// else 0. A fraction is dropped, and a number out of range becomes the nearest
// one in range.
func (p *Parser) Int() int64 { return whole(p.number()) }

// Float returns the next value if it is a number, or a string that holds one,
// else 0. A number out of range becomes the nearest one in range.
func (p *Parser) Float() float64 {
	s := p.number()
	if s == nil {
		return 0
	}
	f, _ := strconv.ParseFloat(string(s), 64)
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}

// number claims the next value and returns it if it is a number or a string that
// contains one.
func (p *Parser) number() []byte {
	switch p.Kind() {
	case Number:
		return p.Raw()
	case String:
		s := p.Bytes()
		if end, ok := number(s, 0); ok && end == len(s) {
			return s
		}
	default:
		p.Skip()
	}
	return nil
}

// whole returns the whole part of a number. It works on the digits, because a
// float64 would change integers over 2^53.
func whole(s []byte) int64 {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		s = s[1:]
	}
	point, _ := digits(s, 0)
	after := point // behind the fraction
	if after < len(s) && s[after] == '.' {
		after, _ = digits(s, after+1)
	}
	want := point // digits of the whole part
	if after < len(s) {
		want += exponent(s[after+1:])
	}
	limit := uint64(math.MaxInt64)
	if neg {
		limit++
	}
	n := magnitude(s[:after], want, limit)
	if neg {
		return -int64(n)
	}
	return int64(n)
}

// magnitude returns the number that the first want digits of s make, at most
// limit. A missing digit is a zero.
func magnitude(s []byte, want int, limit uint64) uint64 {
	var n uint64
	for _, c := range s {
		if c == '.' {
			continue
		}
		if want <= 0 {
			return n
		}
		want--
		d := uint64(c - '0')
		if n > (limit-d)/10 {
			return limit
		}
		n = n*10 + d
	}
	for ; want > 0 && n > 0; want-- {
		if n > limit/10 {
			return limit
		}
		n *= 10
	}
	return n
}

// exponent returns the number after an e, at most the length of the longest line.
func exponent(s []byte) int {
	const huge = 2 * MaxLine
	neg := s[0] == '-'
	n := 0
	for _, c := range s {
		if c-'0' < 10 && n < huge {
			n = n*10 + int(c-'0')
		}
	}
	if neg {
		return -n
	}
	return n
}
