package sesskeep

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Title returns the title of the session from its own file: the title that the user
// gave it, else the one by the client's model, else a summary of the active
// conversation, else the first prompt that describes the work.
func (d *Digest) Title() string { return d.TitleWith(d.Tree(), d.ownSummaries()) }

// ownSummaries returns the summaries in the file by leaf. The last one of a leaf counts.
func (d *Digest) ownSummaries() map[string]string { return byLeaf(d.Summaries) }

func byLeaf(list []LeafTitle) map[string]string {
	if len(list) == 0 {
		return nil
	}
	found := make(map[string]string, len(list))
	for _, s := range list {
		found[s.Leaf] = s.Text
	}
	return found
}

// Title returns the title of the conversation: the newest summary in the file of one of
// its lines, else its first prompt that describes the work. For a conversation that
// branched off another one that is the first such prompt after the branch.
func (c Conversation) Title() string {
	if c.tree == nil {
		return ""
	}
	return c.tree.title(c.tree.links, c, c.Fork, byLeaf(c.tree.summaries))
}

// TitleWith is Title for a caller that has grown the tree already and knows which summary
// names which leaf, because clients up to 2.1.29 wrote summaries into other files.
func (d *Digest) TitleWith(tree *Tree, found map[string]string) string {
	if d.CustomTitle != "" {
		return oneLine(d.CustomTitle, labelSize)
	}
	if d.AITitle != "" {
		return oneLine(d.AITitle, labelSize)
	}
	if tree.Active >= 0 {
		return tree.title(d.Chain, tree.Conversations[tree.Active], -1, found)
	}
	if len(d.Summaries) > 0 {
		return d.Summaries[len(d.Summaries)-1].Text
	}
	return ""
}

// NamedElsewhere reports whether a summary of the session can lie in another file, where
// clients up to 2.1.29 wrote it.
func (d *Digest) NamedElsewhere() bool {
	return d.CustomTitle == "" && d.AITitle == "" && d.Agent == "" &&
		(d.FirstVersion == "" || beforeVersion(d.FirstVersion, 2, 1, 30))
}

// NameWith returns the title of a conversation for a caller that has grown the tree
// already and knows which summary names which leaf: see TitleWith.
func (d *Digest) NameWith(tree *Tree, c Conversation, found map[string]string) string {
	return tree.title(d.Chain, c, c.Fork, found)
}

// title searches from the conversation's end up to the turn stop, or to its start.
func (t *Tree) title(links []Link, c Conversation, stop int, found map[string]string) string {
	first := ""
	for at := c.Turn; at >= 0; at = t.Turns[at].Parent {
		if at == stop && first != "" {
			return first
		}
		turn := &t.Turns[at]
		for _, i := range slices.Backward(turn.Lines) {
			if text := found[links[i].UUID]; text != "" {
				return text
			}
		}
		if turn.Prompt {
			first = cmp.Or(links[turn.Head].title(), first)
		}
	}
	if first == "" {
		return t.anyPrompt(links)
	}
	return first
}

// anyPrompt is the first prompt of the file, descriptive or not.
func (t *Tree) anyPrompt(links []Link) string {
	for i := range t.Turns {
		if t.Turns[i].Prompt {
			return links[t.Turns[i].Head].Text
		}
	}
	return ""
}

// PromptTitle returns the title that a prompt gives its session, or "" if the prompt does
// not say what the session is about.
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
	return utf8.RuneCountInString(text) > 1 && !warmup(text) && !strings.HasPrefix(text, "<environment_context>")
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

// warmup reports whether a prompt only warms up an agent.
func warmup(prompt string) bool {
	p := strings.TrimSpace(prompt)
	return strings.EqualFold(p, "warmup") || strings.EqualFold(p, "warm up")
}

// FirstPrompt returns the first prompt of the main line.
func (d *Digest) FirstPrompt() string {
	agent := d.allSidechain()
	for i := range d.Chain {
		if d.Chain[i].Role == RolePrompt && (agent || !d.Chain[i].Sidechain) {
			return d.Chain[i].Text
		}
	}
	return ""
}
