package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// questionTool is the tool with which the model asks questions.
const questionTool = "AskUserQuestion"

// Asked is one question of the model. A prompt of the kind question has one or more of
// them, and every one needs an answer: labels of its options, or a text of one's own.
type Asked struct {
	Text    string   `json:"question" doc:"The question; an answer names it by this text"`
	Header  string   `json:"header,omitempty"` // the question in a word or two
	Several bool     `json:"multiSelect,omitempty" doc:"True if several options may be chosen; an answer joins their labels with a comma and a space"`
	Options []Option `json:"options,omitempty" doc:"What can be chosen; a text of one's own is always an answer too"`
}

// Option is one answer that the model suggests.
type Option struct {
	Label       string `json:"label"`                 // the answer, as the model gets it
	Description string `json:"description,omitempty"` // what the answer means
	Preview     string `json:"preview,omitempty"`     // what the answer would look like
}

// QuestionsOf returns the questions in the input of a tool; none if the tool is another
// one or its input has another shape.
func QuestionsOf(tool string, input json.RawMessage) []Asked {
	var in struct{ Questions []Asked }
	if tool != questionTool || json.Unmarshal(input, &in) != nil {
		return nil
	}
	return in.Questions
}

// The reasons why a typed answer is none.
var (
	errEmptyAnswer = errors.New("the answer is empty")
	errOneOption   = errors.New("it takes one option only")
)

// Parse returns the answer that somebody typed: the number or the label of an option;
// several of them, with commas between, where the question allows that; or any other
// text. After "=" the text counts as it is, even if it looks like a number.
func (q *Asked) Parse(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if text, ok := strings.CutPrefix(typed, "="); ok {
		typed = strings.TrimSpace(text)
		if typed == "" {
			return "", errEmptyAnswer
		}
		return typed, nil
	}
	if typed == "" {
		return "", errEmptyAnswer
	}
	items := strings.Split(typed, ",")
	if words := strings.Fields(typed); allNumbers(words) {
		items = words
	}
	if q.Several {
		return q.choose(items)
	}
	if len(items) > 1 {
		if len(q.Options) > 0 && allNumbers(items) {
			return "", errOneOption
		}
		return typed, nil
	}
	return q.item(typed)
}

// choose returns the answer that consists of several items: options in their own order,
// then texts.
func (q *Asked) choose(items []string) (string, error) {
	var chosen, texts []string
	for _, item := range items {
		text, err := q.item(strings.TrimSpace(item))
		if err != nil {
			return "", err
		}
		switch {
		case text == "" || slices.Contains(chosen, text):
		case q.option(text) >= 0:
			chosen = append(chosen, text)
		default:
			texts = append(texts, text)
		}
	}
	slices.SortFunc(chosen, func(a, b string) int { return q.option(a) - q.option(b) })
	if len(chosen)+len(texts) == 0 {
		return "", errEmptyAnswer
	}
	return strings.Join(append(chosen, texts...), ", "), nil
}

// item returns the label of the option that a text names, or the text.
func (q *Asked) item(text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err == nil && len(q.Options) > 0 {
		if n < 1 || n > len(q.Options) {
			return "", fmt.Errorf("there is no option %d; to answer with this number, type = %d", n, n)
		}
		return q.Options[n-1].Label, nil
	}
	if i := q.option(text); i >= 0 {
		return q.Options[i].Label, nil
	}
	return text, nil
}

// option returns the position of the option with a label, or -1.
func (q *Asked) option(label string) int {
	return slices.IndexFunc(q.Options, func(o Option) bool { return strings.EqualFold(o.Label, label) })
}

func allNumbers(words []string) bool {
	for _, w := range words {
		if _, err := strconv.Atoi(strings.TrimSpace(w)); err != nil {
			return false
		}
	}
	return len(words) > 0
}

// Hint says in a few words what Parse accepts.
func (q *Asked) Hint() string {
	switch n := len(q.Options); {
	case n == 0:
		return "your own words"
	case q.Several:
		return fmt.Sprintf("1 to %d, several with commas, or your own words", n)
	default:
		return fmt.Sprintf("1 to %d, or your own words", n)
	}
}

// Form collects what somebody types at the questions of a prompt, one after another.
type Form struct {
	questions []Asked
	answers   map[string]string
	next      int
}

// NewForm returns an empty form for a prompt.
func NewForm(p *Prompt) *Form {
	return &Form{questions: p.Questions, answers: map[string]string{}}
}

// Next returns the question that Enter answers and its position; nil if every question
// has an answer.
func (f *Form) Next() (*Asked, int) {
	if f.next == len(f.questions) {
		return nil, f.next
	}
	return &f.questions[f.next], f.next
}

// Enter answers the next question by what was typed. After an error the question is the
// next one still.
func (f *Form) Enter(typed string) error {
	q, _ := f.Next()
	if q == nil {
		return nil
	}
	text, err := q.Parse(typed)
	if err != nil {
		return err
	}
	f.answers[q.Text] = text
	f.next++
	return nil
}

// Answers returns the answers for [Answer.Answers].
func (f *Form) Answers() map[string]string { return f.answers }
