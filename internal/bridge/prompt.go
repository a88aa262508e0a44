package bridge

import (
	"crypto/sha256"
	"encoding/hex"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// promptID returns the id under which clients get a question of a run. It stands for the
// question with its exact input: with another input it is another id.
func promptID(run string, p *launch.Prompt) string {
	sum := sha256.Sum256([]byte(run + "\x00" + p.ID + "\x00" + p.Hash))
	return "ask_" + hex.EncodeToString(sum[:16])
}

// findPrompt returns the open question of a run with an id; nil: there is none.
func findPrompt(run *holder.Record, id string) *launch.Prompt {
	for i := range run.Prompts {
		if p := &run.Prompts[i]; promptID(run.ID, p) == id {
			return p
		}
	}
	return nil
}

// promptEvent returns a question as clients get it.
func promptEvent(run string, p *launch.Prompt) event {
	id := promptID(run, p)
	if p.Kind == launch.Question && len(p.Questions) > 0 {
		return questionEvent{ID: id, Questions: questionsOf(p.Questions)}
	}
	options := []Choice{allow, deny}
	if len(p.Rules) > 0 {
		options = append(options, always)
	}
	return permissionEvent{ID: id, Tool: p.Tool, Input: p.Input, Options: options}
}

func questionsOf(list []launch.Asked) (out []question) {
	for _, q := range list {
		one := question{Question: q.Text, Header: q.Header, MultiSelect: q.Several, Options: []option{}}
		for _, o := range q.Options {
			one.Options = append(one.Options, option{Label: o.Label, Description: o.Description})
		}
		out = append(out, one)
	}
	return out
}

// decision returns the answer that a choice is.
func (r *permissionResponse) decision(p *launch.Prompt) (launch.Answer, *Fault) {
	a := launch.Answer{Prompt: p.ID, Hash: p.Hash}
	switch {
	case p.Kind == launch.Question && r.Choice != deny:
		return a, fault(codeAnswer, "this is a question: answer it with question_response")
	case r.Choice == deny:
		a.Behavior = launch.Deny
	case r.Choice == allow:
		a.Behavior = launch.Allow
	case r.Choice == always:
		a.Behavior, a.Scope = launch.Allow, launch.Always
	default:
		return a, fault(codeAnswer, "the choice is allow, deny or always")
	}
	return a, nil
}
