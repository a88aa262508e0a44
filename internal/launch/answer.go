package launch

import (
	"slices"
	"time"
)

// Prompts returns the open prompts, oldest first.
func (m *Machine) Prompts() []Prompt {
	list := make([]Prompt, len(m.open))
	for i, p := range m.open {
		list[i] = *p
	}
	return list
}

func (m *Machine) prompt(id string) *Prompt {
	if i := slices.IndexFunc(m.open, func(p *Prompt) bool { return p.ID == id }); i >= 0 {
		return m.open[i]
	}
	return nil
}

// Answer answers a prompt. An error means that the answer does not count. The prompt is
// then denied if its time is over, and stays open if the answer is ill-formed.
func (m *Machine) Answer(now time.Time, a Answer) error {
	p := m.prompt(a.Prompt)
	if p == nil {
		if earlier := m.answered[a.Prompt]; earlier != nil {
			return earlier
		}
		return ErrNoPrompt
	}
	if !now.Before(p.Deadline.Time) {
		m.deny(now, p, "The answer did not fit: "+ErrLate.Error()+".", timeLimit)
		m.updateState(now)
		return ErrLate
	}
	response, err := a.response(p)
	if err != nil {
		return err
	}
	m.write(encodeResponse(p.ID, response))
	m.close(p, &AnsweredError{a.Behavior, a.By, now})
	m.note(now, Event{
		Event: EventAnswered, Prompt: p.ID, Tool: p.Tool, Hash: p.Hash, Behavior: a.Behavior, Scope: a.Scope, By: a.By, Changed: a.Input != nil,
	})
	m.quietSince = now
	m.updateState(now)
	return nil
}

// timeLimit is the actor recorded for prompts that are denied for lack of an answer.
const timeLimit = "the time limit"

func (m *Machine) deny(now time.Time, p *Prompt, message, by string) {
	m.write(encodeDenial(p.ID, message))
	m.close(p, &AnsweredError{Deny, by, now})
	m.note(now, Event{Event: EventAnswered, Prompt: p.ID, Tool: p.Tool, Hash: p.Hash, Behavior: Deny, By: by, Why: message})
}

func (m *Machine) denyAll(now time.Time, message, by string) {
	for len(m.open) > 0 {
		m.deny(now, m.open[0], message, by)
	}
}

func (m *Machine) close(p *Prompt, how *AnsweredError) {
	m.answered[p.ID] = how
	m.open = slices.DeleteFunc(m.open, func(o *Prompt) bool { return o == p })
}
