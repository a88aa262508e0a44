package page

import (
	"slices"
	"strconv"
	"unicode"

	"sesskeep/internal/view"
)

// Diff appends the changes of a file as a table: the number of each line before and after, its
// sign, and the line, coloured as the file's extension says. Where a line replaces another one,
// the words that differ are marked.
func Diff(dst []byte, file string, hunks []view.Hunk) []byte {
	name := Language(file)
	dst = append(dst, `<table class="diff"><tbody>`+"\n"...)
	for i, h := range hunks {
		if i > 0 {
			dst = append(dst, `<tr class="gap"><td></td><td></td><td></td><td>⋯</td></tr>`+"\n"...)
		}
		dst = hunk(dst, name, h)
	}
	return append(dst, "</tbody></table>\n"...)
}

func hunk(dst []byte, language string, h view.Hunk) []byte {
	others := pairs(h.Lines)
	before, after := h.OldStart, h.NewStart
	for i, line := range h.Lines {
		sign, text := signOf(line)
		class := map[string]string{"+": ` class="added"`, "-": ` class="removed"`}[sign]
		dst = append(dst, "<tr"+class+"><td>"...)
		if before > 0 && sign != "+" {
			dst = strconv.AppendInt(dst, int64(before), 10)
			before++
		}
		dst = append(dst, "</td><td>"...)
		if after > 0 && sign != "-" {
			dst = strconv.AppendInt(dst, int64(after), 10)
			after++
		}
		dst = append(dst, "</td><td>"+map[string]string{"-": "−"}[sign]...)
		if sign == "+" {
			dst = append(dst, '+')
		}
		dst = append(dst, "</td><td>"...)
		dst = changedLine(dst, language, text, others[i])
		dst = append(dst, "</td></tr>\n"...)
	}
	return dst
}

func signOf(line string) (sign, text string) {
	if line == "" {
		return " ", ""
	}
	switch line[0] {
	case '+', '-', ' ':
		return line[:1], line[1:]
	}
	return " ", line
}

// pairs returns for each line the line that it replaces or that replaces it, or "".
func pairs(lines []string) []string {
	others := make([]string, len(lines))
	for i := 0; i < len(lines); {
		added := i
		for added < len(lines) && lines[added] != "" && lines[added][0] == '-' {
			added++
		}
		end := added
		for end < len(lines) && lines[end] != "" && lines[end][0] == '+' {
			end++
		}
		for k := 0; i+k < added && added+k < end; k++ {
			others[i+k], others[added+k] = lines[added+k][1:], lines[i+k][1:]
		}
		i = max(end, i+1)
	}
	return others
}

// changedLine appends a line with marks around the words that other lacks.
func changedLine(dst []byte, language, text, other string) []byte {
	from, to := differing(text, other)
	if from == to {
		return Code(dst, language, text)
	}
	dst = Code(dst, language, text[:from])
	dst = append(dst, "<mark>"...)
	dst = Text(dst, text[from:to])
	dst = append(dst, "</mark>"...)
	return Code(dst, language, text[to:])
}

// differing returns which part of a line differs from another one: what lies between their
// common beginning and their common end, in whole words. It returns an empty part if they have
// less than a third in common.
func differing(text, other string) (from, to int) {
	if other == "" || len(text) > 4096 || len(other) > 4096 {
		return 0, 0
	}
	a, b := words(text), words(other)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	from, to = size(a[:start]), len(text)-size(a[len(a)-end:])
	if 3*(len(text)-(to-from)) < len(text) {
		return 0, 0
	}
	return from, to
}

func size(words []string) (n int) {
	for _, word := range words {
		n += len(word)
	}
	return n
}

// words splits a line into words and the characters between them.
func words(line string) (list []string) {
	inWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	from, last := 0, false
	for i, r := range line {
		if is := inWord(r); i > from && (!is || !last) {
			list, from = append(list, line[from:i]), i
		}
		last = inWord(r)
	}
	return slices.Clip(append(list, line[from:]))
}
