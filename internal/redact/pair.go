package redact

import "strings"

// pair returns where the value begins whose name is another value, and what assigns it:
//
//   - name: API_TOKEN
//     value: …
//
// and the same in JSON and XML. i is the end of the name.
func pair(text string, i int) (int, byte) {
	from := i
	for i < len(text) && i-from < 80 && (between[text[i]] || i > from && text[i-1] == '\\' && isEscape(text[i])) {
		i++
	}
	if i == from || len(text)-i < len("value:x") || !fold(text[i:i+len("value")], "value") {
		return 0, 0
	}
	i = closing.span(text, i+len("value"), 8)
	if i == len(text) || text[i] != ':' && text[i] != '=' {
		return 0, 0
	}
	return blank.span(text, i+1, 40), ':'
}

var between = gapBytes.with("\"',")

// coded returns where the value begins after an operator that a page or a URL escapes: %3D,
// &quot;:&quot;, \u003d.
func coded(text string, i int) (int, byte) {
	from := i
	if i == len(text) || strings.IndexByte("%&\"' \\", text[i]) < 0 {
		return 0, 0
	}
	i = skipCoded(text, i, codedQuotes)
	after := skipCoded(text, i, codedOperators)
	if after == i && i > from && i < len(text) && (text[i] == ':' || text[i] == '=') {
		after++
	}
	if after == i {
		return 0, 0
	}
	return skipCoded(text, after, codedQuotes), '%'
}

var (
	codedOperators = strings.Fields(`%3d %3a \\u003d \\u003a \u003d \u003a &#61; &#x3d; &#58;`)
	codedQuotes    = strings.Fields(`\u0022 \u0027 \\u0022 \u0026quot; \u0026#34; %22 %27 %20 &quot; &#34; &#39; &apos; &nbsp; \" " '`)
)

// skipCoded returns where the text continues after at most three codes of the list.
func skipCoded(text string, i int, list []string) int {
	for range 3 {
		was := i
		for _, code := range list {
			if startsWith(text[i:], code) {
				i += len(code)
				break
			}
		}
		if i == was {
			break
		}
	}
	return i
}

// codedEnd returns where a value ends in such a text, whose quotes and separators are escaped.
func codedEnd(text string) int {
	for i := range len(text) {
		if text[i] == '%' && len(text) >= i+3 {
			switch strings.ToUpper(text[i+1 : i+3]) {
			case "22", "27", "26", "20", "2C", "3B", "7D", "0A", "0D":
				return i
			}
		}
	}
	return len(text)
}
