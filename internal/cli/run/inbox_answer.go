package run

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
)

// writeQuestions shows the questions of the model with their options.
func writeQuestions(w io.Writer, sh *shell.Shell, questions []launch.Asked) {
	for i := range questions {
		q := &questions[i]
		head := output.Joined(": ", q.Header, q.Text)
		if len(questions) > 1 {
			head = fmt.Sprintf("%d of %d: %s", i+1, len(questions), head)
		}
		fmt.Fprintln(w, "  "+sh.Out.Screen.Paint(term.Bold, term.Line(head)))
		for n, o := range q.Options {
			fmt.Fprintf(w, "    %d %s\n", n+1, term.Line(output.Joined(": ", o.Label, o.Description)))
			for line := range strings.Lines(o.Preview) {
				fmt.Fprintln(w, "      | "+term.Line(strings.TrimSuffix(line, "\n")))
			}
		}
	}
}

// reply is an answer that somebody types, a line for each question.
type reply struct {
	item *runs.InboxItem
	form *launch.Form // nil: permission is asked for
}

func newReply(item *runs.InboxItem) *reply {
	r := &reply{item: item}
	if item.Kind == launch.Question {
		r.form = launch.NewForm(&item.Prompt)
	}
	return r
}

// ask says what can be typed now.
func (r *reply) ask() string {
	switch {
	case r.form == nil && len(r.item.Rules) > 0:
		return "Allow? [y: once, r: for this run, a: always, n: no, n WORDS: no, because]"
	case r.form == nil:
		return "Allow? [y: once, n: no, n WORDS: no, because]"
	case len(r.item.Questions) == 0:
		return "This question has no form that sesskeep knows. [n: no answer, n WORDS: no, because]"
	}
	q, _ := r.form.Next()
	return term.Line(q.Text) + " [" + q.Hint() + "; n: no answer]"
}

// enter applies a line. It returns whether the answer is complete, or why the line was
// not accepted; both are empty if another line is needed.
func (r *reply) enter(text string) (a launch.Answer, done bool, problem string) {
	a = launch.Answer{Prompt: r.item.ID, Hash: r.item.Hash, Behavior: launch.Deny}
	if message, ok := denial(text); ok {
		a.Message = message
		return a, true, ""
	}
	a.Behavior = launch.Allow
	if r.form == nil {
		return r.permit(a, text)
	}
	if len(r.item.Questions) == 0 {
		return a, false, ""
	}
	if err := r.form.Enter(text); err != nil {
		return a, false, err.Error()
	}
	q, _ := r.form.Next()
	a.Answers = r.form.Answers()
	return a, q == nil, ""
}

// denial reports whether a line denies, and the message to the model.
func denial(line string) (message string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.TrimSpace(rest), word == "n" || word == "no"
}

// permit reads the scope of a permission.
func (r *reply) permit(a launch.Answer, text string) (launch.Answer, bool, string) {
	switch word := strings.TrimSpace(text); {
	case word == "y" || word == "yes":
		return a, true, ""
	case word == "r" && len(r.item.Rules) > 0:
		a.Scope = launch.ThisRun
		return a, true, ""
	case word == "a" && len(r.item.Rules) > 0:
		a.Scope = launch.Always
		return a, true, ""
	}
	return a, false, ""
}

// confirmAllow asks whether to allow what was shown. At a question without an answer it
// asks for one instead.
func confirmAllow(ctx context.Context, sh *shell.Shell, item *runs.InboxItem, a *launch.Answer) (bool, error) {
	if item.Kind != launch.Question || len(a.Answers) > 0 || a.Input != nil {
		return sh.Yes(ctx), nil
	}
	r := newReply(item)
	for {
		text, ok := sh.Prompt(ctx, shell.OneLine(sh.Stdin), r.ask()+" ")
		if !ok {
			return false, ctx.Err()
		}
		typed, done, problem := r.enter(text)
		switch {
		case problem != "":
			fmt.Fprintln(sh.Stdout, problem)
		case done && typed.Behavior == launch.Deny:
			return false, fail.Usage("nothing was answered", fmt.Sprintf("to deny it: sesskeep inbox deny %s", output.Head(item.ID, 8)))
		case done:
			a.Answers = typed.Answers
			return true, nil
		}
	}
}

// answersTo returns the answers to the questions of a prompt that --answer gave.
func answersTo(p *runs.InboxItem, given []string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	answers := map[string]string{}
	for nth, text := range given {
		i := slices.IndexFunc(p.Questions, func(q launch.Asked) bool { return strings.HasPrefix(text, q.Text+"=") })
		switch {
		case i >= 0:
			text = strings.TrimPrefix(text, p.Questions[i].Text+"=")
		case nth < len(p.Questions) && len(given) == len(p.Questions):
			i = nth
		default:
			return nil, fail.Usage(fmt.Sprintf("--answer %q: that was not asked", text),
				fmt.Sprintf("give %s, or write QUESTION=TEXT, with the question as it is asked", output.Plural(len(p.Questions), "answer")))
		}
		q := &p.Questions[i]
		parsed, err := q.Parse(text)
		if err != nil {
			return nil, fail.Usage(fmt.Sprintf("--answer %q: %s", text, err), "type "+q.Hint())
		}
		answers[q.Text] = parsed
	}
	return answers, nil
}
