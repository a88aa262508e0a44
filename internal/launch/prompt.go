package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/stamp"
)

// PromptKind says what a prompt is about.
type PromptKind string

// The kinds of prompts.
const (
	Permission PromptKind = "permission" // to use a tool
	Question   PromptKind = "question"   // the model asks; an answer is a choice or a text
)

// PromptKinds lists all kinds of prompts.
var PromptKinds = []PromptKind{Permission, Question}

// Prompt is a question of the client that waits for an answer.
type Prompt struct {
	ID          string          `json:"id"` // id of the question
	Kind        PromptKind      `json:"kind" doc:"Permission to use a tool, or a question with options"`
	Tool        string          `json:"tool"`                  // name of the tool
	Description string          `json:"description,omitempty"` // what the tool call does, in the client's words
	Input       json.RawMessage `json:"input" doc:"Exact input of the tool"`
	Hash        string          `json:"inputHash" doc:"Hash of the input, which the answer must name"`
	Questions   []Asked         `json:"questions,omitempty" doc:"What the model asks, in order; each needs an answer. Only with the kind question"`
	Blocked     string          `json:"blockedPath,omitempty"` // path that the permission is for
	Reason      string          `json:"reason,omitempty"`      // why the client asks
	ToolUseID   string          `json:"toolUseId,omitempty"`   // id of the tool call
	AgentID     string          `json:"agentId,omitempty" doc:"Sub-agent that asks"`
	Rules       []Rule          `json:"rules,omitempty" doc:"Rules that an answer with the scope run or always would add"`
	Since       stamp.Time      `json:"since"` // when the question was asked
	Deadline    stamp.Time      `json:"deadline" doc:"When the question is denied if there is no answer"`
}

// Rule is something that would be allowed from now on.
type Rule struct {
	Text string `json:"text" doc:"The rule as the client writes it into its settings"`
	// File is the settings file that an answer with the scope always changes, by the client's
	// name for it.
	File string `json:"destination"`
	raw  rule
}

// rule is a suggestion of the client that adds rules.
type rule struct {
	Type        string     `json:"type"`
	Rules       []toolRule `json:"rules"`
	Behavior    string     `json:"behavior"`
	Destination string     `json:"destination"`
}

type toolRule struct {
	Tool    string `json:"toolName"`
	Content string `json:"ruleContent,omitempty"`
}

// rulesOf returns the suggestions that allow more. It drops others, such as a change
// of mode, which go beyond the tool that was asked about.
func rulesOf(list []json.RawMessage) []Rule {
	var rules []Rule
	for _, raw := range list {
		var r rule
		if json.Unmarshal(raw, &r) != nil || r.Type != "addRules" || r.Behavior != "allow" || len(r.Rules) == 0 {
			continue
		}
		for _, one := range r.Rules {
			text := one.Tool
			if one.Content != "" {
				text += "(" + one.Content + ")"
			}
			single := rule{Type: r.Type, Rules: []toolRule{one}, Behavior: r.Behavior, Destination: r.Destination}
			rules = append(rules, Rule{Text: text, File: r.Destination, raw: single})
		}
	}
	return rules
}

// HashInput returns the hash by which an answer names the input it is about.
func HashInput(input []byte) string {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}

func newPrompt(id string, a *Ask, now, deadline time.Time) *Prompt {
	p := &Prompt{
		ID: id, Kind: Permission, Tool: a.Tool, Description: a.Description, Input: a.Input, Hash: HashInput(a.Input),
		Blocked: a.Blocked, Reason: a.Reason, ToolUseID: a.Use, AgentID: a.Agent, Rules: rulesOf(a.Suggestions),
		Since: stamp.Time{Time: now}, Deadline: stamp.Time{Time: deadline},
	}
	if a.Tool == questionTool {
		p.Kind, p.Questions = Question, QuestionsOf(a.Tool, a.Input)
	}
	return p
}

// Scope says how long an answer applies.
type Scope string

// The scopes.
const (
	Once    Scope = "once"   // also the empty scope
	ThisRun Scope = "run"    // the rules of the prompt, until the run ends
	Always  Scope = "always" // the rules of the prompt, in the client's settings
)

// Scopes lists all scopes.
var Scopes = []Scope{Once, ThisRun, Always}

// Behavior says whether a tool may run.
type Behavior string

// The behaviors of an answer.
const (
	Allow Behavior = "allow"
	Deny  Behavior = "deny"
)

// Behaviors lists all behaviors.
var Behaviors = []Behavior{Allow, Deny}

// Answer is a decision about a prompt.
type Answer struct {
	Prompt   string            `json:"prompt"`
	Hash     string            `json:"inputHash"`
	Behavior Behavior          `json:"behavior"`
	Scope    Scope             `json:"scope,omitempty"`
	Message  string            `json:"message,omitempty"`      // to the model, with Deny
	Input    json.RawMessage   `json:"updatedInput,omitempty"` // input for the tool instead of the one asked about
	Answers  map[string]string `json:"answers,omitempty"`      // to questions, by their text
	By       string            `json:"by,omitempty"`           // who decided, from where
}

// The reasons why an answer does not count. ErrLate also denies the tool. After ErrInput
// and ErrAnswer the prompt stays open.
var (
	ErrNoPrompt = errors.New("nothing waits for this answer any more")
	ErrLate     = errors.New("the time to answer is over")
	ErrInput    = errors.New("the answer is about another input than what is asked now")
	ErrAnswer   = errors.New("not an answer to this prompt")
)

// AnsweredError means that somebody answered first.
type AnsweredError struct {
	Behavior Behavior
	By       string
	At       time.Time
}

func (e *AnsweredError) Error() string {
	return fmt.Sprintf("already answered by %s at %s: %s", e.By, e.At.Format("15:04:05"), e.Behavior)
}

// Check returns why an answer does not count for a prompt, whatever the time.
func (a *Answer) Check(p *Prompt) error {
	_, err := a.response(p)
	return err
}

// response returns the response for the client. A denial needs no hash: it can do no
// harm.
func (a *Answer) response(p *Prompt) (fields, error) {
	switch {
	case a.Behavior == Deny:
		message := a.Message
		if message == "" {
			message = "The user does not want this."
		}
		return fields{"behavior": Deny, "message": message}, nil
	case a.Behavior != Allow:
		return nil, fmt.Errorf("%w: behavior %q", ErrAnswer, a.Behavior)
	case a.Hash != p.Hash:
		return nil, ErrInput
	}
	input, err := a.ToolInput(p)
	if err != nil {
		return nil, err
	}
	response := fields{"behavior": Allow, "updatedInput": input}
	updates, err := a.updates(p)
	if err != nil {
		return nil, err
	}
	if len(updates) > 0 {
		response["updatedPermissions"] = updates
	}
	return response, nil
}

// ToolInput returns the input for the tool that the answer allows, with the answers to
// its questions.
func (a *Answer) ToolInput(p *Prompt) (json.RawMessage, error) {
	if a.Input != nil {
		if !object(a.Input) || len(a.Answers) > 0 {
			return nil, fmt.Errorf("%w: the changed input is no JSON object", ErrAnswer)
		}
		return a.Input, nil
	}
	if p.Kind != Question {
		if len(a.Answers) > 0 {
			return nil, fmt.Errorf("%w: no question was asked", ErrAnswer)
		}
		return p.Input, nil
	}
	if err := a.checkAnswers(p.Questions); err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(p.Input, &whole); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrAnswer, err)
	}
	answers, err := json.Marshal(a.Answers)
	if err != nil {
		return nil, err
	}
	whole["answers"] = answers
	return json.Marshal(whole)
}

// checkAnswers checks that every question has an answer, and every answer a question.
func (a *Answer) checkAnswers(questions []Asked) error {
	if len(questions) == 0 {
		return fmt.Errorf("%w: this is not a question that can be answered", ErrAnswer)
	}
	for _, q := range questions {
		if strings.TrimSpace(a.Answers[q.Text]) == "" {
			return fmt.Errorf("%w: no answer to %q", ErrAnswer, q.Text)
		}
	}
	for text := range a.Answers {
		if !slices.ContainsFunc(questions, func(q Asked) bool { return q.Text == text }) {
			return fmt.Errorf("%w: %q was not asked", ErrAnswer, text)
		}
	}
	return nil
}

// updates returns the changes of the client's permissions that an answer makes.
func (a *Answer) updates(p *Prompt) ([]rule, error) {
	switch a.Scope {
	case "", Once:
		return nil, nil
	case ThisRun, Always:
	default:
		return nil, fmt.Errorf("%w: scope %q", ErrAnswer, a.Scope)
	}
	switch {
	case len(p.Rules) == 0:
		return nil, fmt.Errorf("%w: it can be allowed once only: the client suggests no rules", ErrAnswer)
	case a.Input != nil:
		return nil, fmt.Errorf("%w: a changed input can be allowed once only", ErrAnswer)
	}
	var list []rule
	for _, r := range p.Rules {
		change := r.raw
		if a.Scope == ThisRun {
			change.Destination = "session"
		}
		list = append(list, change)
	}
	return list, nil
}
