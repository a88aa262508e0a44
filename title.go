package sesskeep

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Title returns the session's title from its own file: the user's
// title, the title by the client's model, a summary of its active leaf, or its
// first real prompt. Found holds summaries from other files, by leaf.
func (d *Digest) Title(tree *Tree, found map[string]string) string {
	if d.CustomTitle != "" {
		return oneLine(d.CustomTitle, labelSize)
	}
	if d.AITitle != "" {
		return oneLine(d.AITitle, labelSize)
	}
	if tree.Active >= 0 {
		return d.name(tree, tree.Conversations[tree.Active], -1, found)
	}
	if len(d.Summaries) > 0 {
		return d.Summaries[len(d.Summaries)-1].Text
	}
	return ""
}

// NamedElsewhere reports whether a summary of it can stand in another file. That
// is what clients up to 2.1.29 did.
func (d *Digest) NamedElsewhere() bool {
	return d.CustomTitle == "" && d.AITitle == "" && d.Agent == "" &&
		(d.FirstVersion == "" || beforeVersion(d.FirstVersion, 2, 1, 30))
}

// Name returns the name of a conversation: the newest summary written for one
// of its lines, or its first real prompt. For a conversation that branched off
// another one it is the first prompt after the branch. Found holds summaries
// from other files, by leaf.
func (d *Digest) Name(tree *Tree, c Conversation, found map[string]string) string {
	return d.name(tree, c, c.Fork, found)
}

// name looks from the conversation's end up to the turn stop, or to its start.
func (d *Digest) name(tree *Tree, c Conversation, stop int, found map[string]string) string {
	first := ""
	for t := c.Turn; t >= 0; t = tree.Turns[t].Parent {
		if t == stop && first != "" {
			return first
		}
		turn := &tree.Turns[t]
		for i := len(turn.Lines) - 1; i >= 0; i-- {
			if text := found[d.Chain[turn.Lines[i]].UUID]; text != "" {
				return text
			}
		}
		if turn.Prompt {
			first = cmp.Or(d.Chain[turn.Head].title(), first)
		}
	}
	if first == "" {
		return d.anyPrompt(tree)
	}
	return first
}

// anyPrompt is the first prompt of the file, descriptive or not.
func (d *Digest) anyPrompt(tree *Tree) string {
	for t := range tree.Turns {
		if tree.Turns[t].Prompt {
			return d.Chain[tree.Turns[t].Head].Text
		}
	}
	return ""
}

// PromptTitle is what a prompt calls its session, or "" if it does not say what
// that is about.
func (e *Entry) PromptTitle() string {
	l := e.Link()
	if l.Role != RolePrompt {
		return ""
	}
	return l.title()
}

func (l *Link) title() string {
	if l.Plan != "" {
		return l.Plan
	}
	if !descriptive(l.Text) {
		return ""
	}
	return l.Text
}

// descriptive reports whether a prompt says what a session is about. A command does if
// it has arguments; a single character, such as the number of a choice, never does.
func descriptive(text string) bool {
	if strings.HasPrefix(text, "/") && !strings.Contains(text, " ") {
		return false
	}
	return utf8.RuneCountInString(text) > 1 && !Warmup(text) && !strings.HasPrefix(text, "<environment_context>")
}

// planPrompt is how the prompt starts that the client sends when a plan was
// approved with a clear context.
const planPrompt = "Implement the following plan:"

// freshStart reports whether a line without a parent starts over in the same session:
// client 2.1.12 writes the prompt of an approved plan as a second root.
func (l *Link) freshStart() bool {
	return l.Role == RolePrompt && l.Parent == "" && l.Logical == "" && strings.HasPrefix(l.Text, planPrompt)
}

// planTitle is the heading of the plan that the client sends for the user who
// has approved it, or "" if the prompt is another one.
func planTitle(text string) string {
	plan, ok := strings.CutPrefix(strings.TrimSpace(text), planPrompt)
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(plan), "\n")
	heading := strings.TrimLeft(line, "#")
	if heading == line {
		return ""
	}
	return oneLine(heading, labelSize)
}

// Warmup reports whether a prompt is the one with which clients before 2.1
// warmed up an agent at every start.
func Warmup(prompt string) bool {
	p := strings.TrimSpace(prompt)
	return strings.EqualFold(p, "warmup") || strings.EqualFold(p, "warm up")
}

// FirstPrompt returns the first prompt of the main line.
func (d *Digest) FirstPrompt() string {
	agent := d.AllSidechain()
	for i := range d.Chain {
		if d.Chain[i].Role == RolePrompt && (agent || !d.Chain[i].Sidechain) {
			return d.Chain[i].Text
		}
	}
	return ""
}
