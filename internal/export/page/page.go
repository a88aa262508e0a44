package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"
)

//go:embed page.css
var styleSheet string

//go:embed find.js
var findScript string

//go:embed replay.js
var replayScript string

// Start appends a page up to its body. The policy allows only images inside of the page, and
// the one script that End appends.
func Start(dst []byte, title string, replay bool) []byte { return start(dst, title, Policy(replay)) }

func start(dst []byte, title, policy string) []byte {
	dst = append(dst, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="`...)
	dst = append(dst, policy...)
	dst = append(dst, `">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="sesskeep">
<title>`...)
	dst = Text(dst, title)
	dst = append(dst, "</title>\n<style>"...)
	dst = append(dst, styleSheet...)
	return append(dst, "</style>\n</head>\n<body id=\"top\">\n"...)
}

// Policy returns the Content-Security-Policy of a page, for servers that send one.
func Policy(replay bool) string { return policy(script(replay)) }

func policy(script string) string {
	return "default-src 'none'; img-src data:; style-src '" + hash(styleSheet) + "'; script-src '" + hash(script) +
		"'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func script(replay bool) string {
	if replay {
		return findScript + replayScript
	}
	return findScript
}

// End appends the end of a page.
func End(dst []byte, replay bool) []byte {
	dst = append(dst, "<script>"...)
	dst = append(dst, script(replay)...)
	return append(dst, "</script>\n</body>\n</html>\n"...)
}

// Bar has the choice of colours, which works without a script, and the search, which appears
// when the script runs.
const Bar = `<div class="bar"><span class="from">A Claude Code session, exported with sesskeep</span>
` + colours + `<form id="find" hidden><input type="search" aria-label="Find in page" placeholder="Find in page">
<button type="button" value="next">Next</button> <button type="button" value="back">Back</button> <output></output></form></div>
`

const colours = `<fieldset><legend>Colours</legend>` +
	`<label><input type="radio" name="colours" id="auto" checked>auto</label>` +
	`<label><input type="radio" name="colours" id="light">light</label>` +
	`<label><input type="radio" name="colours" id="dark">dark</label></fieldset>
`

// ReplayBar has the controls of the replay, which appear when the script runs.
const ReplayBar = `<div class="replay" id="replay" role="group" aria-label="Replay" hidden><button type="button">Play</button>
<input type="range" min="0" step="any" aria-label="Position">
<label>Speed <select><option value="1">1×</option><option value="2">2×</option><option value="5" selected>5×</option>` +
	`<option value="20">20×</option></select></label> <output></output></div>
`

// ID returns a name as an id of an HTML element.
func ID(name string) string {
	return "m-" + strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// Output returns what a program printed without the sequences that control a terminal.
func Output(text string) string {
	if !strings.Contains(text, "\x1b") && !strings.Contains(text, "\r") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\x1b':
			i += sequence(text[i:])
		case text[i] == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			i++
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// sequence returns the length of the control sequence that the text begins with.
func sequence(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch text[1] {
	case '[': // up to a letter
		for i := 2; i < len(text); i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1
			}
		}
		return len(text)
	case ']': // up to a bell or an escape
		if i := strings.IndexAny(text[2:], "\a\x1b"); i >= 0 {
			return i + 2 + 1
		}
		return 2
	}
	return 2
}

// Path appends a path, escaped, which browsers break after its slashes.
func Path(dst []byte, path string) []byte {
	for {
		n := strings.IndexAny(path[min(1, len(path)):], `/\`) + 2
		if n < 2 || n == len(path) {
			return Text(dst, path)
		}
		dst = append(Text(dst, path[:n]), "<wbr>"...)
		path = path[n:]
	}
}
