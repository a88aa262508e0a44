package jsonl

const spaces uint64 = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'

func isSpace(c byte) bool { return c <= ' ' && spaces>>c&1 != 0 }

// space returns the index of the first byte from i on that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && spaces>>b[i]&1 != 0 {
		i++
	}
	return i
}

// value skips the value at i and returns the index after it.
func (p *Parser) value(i int) int {
	if i < len(p.b) {
		switch p.b[i] {
		case '"':
			return p.quoted(i)
		case '{', '[':
			return p.walk(i, 0, 0)
		}
	}
	return p.scalar(i)
}

// quoted skips the string at i.
func (p *Parser) quoted(i int) int {
	end, _ := p.scan(i + 1)
	if end < 0 {
		return end
	}
	return end + 1
}

// scalar skips the number or word at i.
func (p *Parser) scalar(i int) int {
	if i >= len(p.b) {
		return p.unexpected(i)
	}
	switch p.b[i] {
	case 't':
		return p.word(i, "true")
	case 'f':
		return p.word(i, "false")
	case 'n':
		return p.word(i, "null")
	}
	end, ok := number(p.b, i)
	if !ok {
		return p.unexpected(end)
	}
	return end
}

func (p *Parser) word(i int, w string) int {
	if len(p.b)-i >= len(w) && string(p.b[i:i+len(w)]) == w {
		return i + len(w)
	}
	n := 0
	for i+n < len(p.b) && p.b[i+n] == w[n] {
		n++
	}
	return p.unexpected(i + n)
}

// walk skips the value at i, and then the rest of the open values it is in.
// It does not recurse, so depth costs a bit and no stack: the lowest bit of
// kinds is 1 if the innermost open value is an object, the next bit is for the
// one around it, and every 64 levels a full word goes to p.spill.
func (p *Parser) walk(i, open int, kinds uint64) int {
	b := p.b
	limit := maxDepth - p.depth + open
	for i >= 0 && i < len(b) {
		switch b[i] {
		case '"':
			i = p.quoted(i)
		case '{', '[':
			if open == limit {
				return p.fail("nested too deep", i)
			}
			if open&63 == 0 && open > 0 {
				p.spill = append(p.spill, kinds)
			}
			open++
			kinds <<= 1
			if b[i] == '{' {
				kinds |= 1
			}
			i = space(b, i+1)
			if i >= len(b) || b[i]|0x20 != '}' {
				i = p.member(i, kinds)
				continue
			}
			// A closing bracket; afterValue checks whether it is the right one.
		default:
			i = p.scalar(i)
		}
		if i < 0 {
			return i
		}
		if i, open, kinds = p.afterValue(i, open, kinds); open == 0 {
			return i
		}
	}
	if i < 0 {
		return i
	}
	return p.unexpected(i)
}

// afterValue skips everything that may follow a value: the brackets that close the
// open ones, and what comes before the next member. After an error it leaves no value
// open.
func (p *Parser) afterValue(i, open int, kinds uint64) (int, int, uint64) {
	b := p.b
	for open > 0 {
		if i = space(b, i); i >= len(b) {
			return p.unexpected(i), 0, 0
		}
		c := b[i]
		if c == ',' {
			return p.member(space(b, i+1), kinds), open, kinds
		}
		if c != "]}"[kinds&1] {
			return p.unexpected(i), 0, 0
		}
		i++
		open--
		kinds >>= 1
		if open&63 == 0 && open > 0 {
			last := len(p.spill) - 1
			kinds = p.spill[last]
			p.spill = p.spill[:last]
		}
	}
	return i, 0, 0
}

// member skips what precedes the value of a member: nothing in an array, a key and a
// colon in an object.
func (p *Parser) member(i int, kinds uint64) int {
	if kinds&1 == 0 {
		return i
	}
	if i >= len(p.b) || p.b[i] != '"' {
		return p.unexpected(i)
	}
	if i = p.quoted(i); i < 0 {
		return i
	}
	return p.colon(i)
}
