package sesskeep_test

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep"
)

// queueLines writes a talk in words, as a client of that version does.
//
//	+text enqueue · - remove · -text remove with its text · > dequeue · < popAll
//	p:text a prompt · q:text a queued_command · a an answer
func queueLines(t *testing.T, version, words string) []string {
	t.Helper()
	var lines []string
	parent := "null"
	chain := func(kind, rest string) string {
		uuid := fmt.Sprintf(`"u%d"`, len(lines))
		line := fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":%q,"uuid":%s,"version":%q,%s}`, parent, kind, uuid, version, rest)
		parent = uuid
		return line
	}
	operation := func(name, content string) string {
		if content != "" {
			content = `,"content":` + quote(content)
		}
		return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":"2026-01-10T09:00:00.000Z"%s}`, name, content)
	}
	for _, word := range strings.Fields(words) {
		line := ""
		switch head, text := word[:1], strings.TrimPrefix(word[1:], ":"); head {
		case "+":
			line = operation("enqueue", text)
		case "-":
			line = operation("remove", text)
		case ">":
			line = operation("dequeue", "")
		case "<":
			line = operation("popAll", "")
		case "p":
			line = chain("user", `"message":{"role":"user","content":`+quote(text)+`}`)
		case "q":
			line = chain("attachment", `"attachment":{"type":"queued_command","commandMode":"prompt","prompt":`+quote(text)+`}`)
		case "a":
			line = chain("assistant", fmt.Sprintf(`"message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"yes"}]}`, len(lines)))
		default:
			t.Fatalf("no line for %q", word)
		}
		lines = append(lines, line)
	}
	return lines
}

// What was typed while the model worked is a prompt once, wherever it stands.
func TestQueue(t *testing.T) {
	for _, tt := range []struct{ version, talk, want string }{
		{"2.0.76", "p:go a +also - a", "go also"},
		{"2.1.86", "p:go a +also +then - - a", "go also then"},
		{"2.0.76", "p:go a +also -", "go"}, // no answer says that the model had it
		{"2.0.76", "p:go a +also > p:also a", "go also"},
		{"2.0.76", "p:go a +also - p:also a", "go also"},
		{"2.0.76", "p:go a +also p:also - a", "go also"},
		{"2.0.76", "p:go a +also < a", "go"},
		{"2.0.76", "p:go a +also < a p:also a", "go also"},
		{"2.0.76", "p:go a +<task-notification> - a", "go"},
		{"2.0.76", "p:go a +<task-notification> +also - - a", "go also"},
		{"2.0.76", "p:go a +one +two > p:one a - a", "go one two"},
		// 2.1.49, 2.1.50: a remove that names nothing is of what a person typed
		{"2.1.49", `p:go a +{"task_id":"b1"} +also - a`, "go also"},
		{"2.1.49", `p:go a +also +{"task_id":"b1"} - a`, "go also"},
		{"2.1.50", `p:go a +{"task_id":"b1"} +also +then - a`, "go also"},
		{"2.1.50", `p:go a +{"task_id":"b1"} +also - > a`, "go also"},
		{"2.1.50", `p:go a +{"task_id":"b1"} +also - > p:also a`, "go also"},
		{"2.1.50", "p:go a +also p:also +then - a", "go also"},
		{"2.1.50", "p:go a +<task-notification> +also > p:<task-notification> a - a", "go also"},
		{"2.0.76", "p:go a +again +again - - a", "go again again"},
		{"2.0.76", "p:go a +/commit - a", "go /commit"}, // it goes to the model as it is
		{"2.1.120", "p:go a +also - q:also a", "go also"},
		{"2.1.120", "p:go a +also q:also - a", "go also"},
		{"2.1.120", "p:go a +also - a", "go"}, // taken back: it would have an attachment
		{"2.1.325", "+go > p:go a", "go"},
		{"2.1.325", "p:go a +also q:also -also a", "go also"},
	} {
		lines := queueLines(t, tt.version, tt.talk)
		d := fold(t, lines...)
		tree := d.Tree()
		var got []string
		for _, turn := range tree.Turns {
			for _, i := range turn.Lines {
				if d.Chain[i].Sent() {
					got = append(got, d.Chain[i].Text)
				}
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.version, tt.talk, got, tt.want)
		}
		if n := len(tree.Conversations); n != 1 || tree.Conversations[0].Prompts != len(strings.Fields(tt.want)) {
			t.Errorf("%s %s: %d conversations, %+v", tt.version, tt.talk, n, tree.Conversations)
		}
		if want := tt.want[strings.LastIndex(tt.want, " ")+1:]; d.LastPrompt != want {
			t.Errorf("%s %s: the last prompt is %q", tt.version, tt.talk, d.LastPrompt)
		}
	}
}

// A hostile file cannot make the queue grow without end.
func TestQueueBounds(t *testing.T) {
	var d sesskeep.Digest
	for range 1000 {
		e := decode(t, `{"type":"queue-operation","operation":"enqueue","content":`+quote(strings.Repeat("é", 9000))+`}`)
		d.Add(&e)
	}
	if n := len(asJSON(t, d)); n > 64*700 {
		t.Errorf("%d bytes", n)
	}
}
