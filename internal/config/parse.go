package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/keys"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Parse reads the text of a file. Values and problems are in the order of the file; a
// file with problems must not be used.
func Parse(text []byte) ([]Value, []Problem) {
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, []Problem{syntaxProblem(err)}
	}
	var values []Value
	var problems []Problem
	all := positions(text)
	for i, set := range all {
		if i > 0 && !all[i-1].table && set.in(all[i-1].path) { // of an array of tables, which was reported
			all[i] = all[i-1]
			continue
		}
		if set.table {
			// What stands in it is reported by itself.
			if p := set.unknownTable(); p != nil && !(i+1 < len(all) && all[i+1].in(set.path)) {
				problems = append(problems, *p)
			}
			continue
		}
		v, err := set.value(find(whole, set.path))
		if err != nil {
			err.Line, err.Column = set.line, set.column
			problems = append(problems, *err)
			continue
		}
		v.Line = set.line
		values = append(values, v)
	}
	return values, append(problems, keyConflicts(values)...)
}

// keyConflicts finds keys of the interface that could never be used.
func keyConflicts(values []Value) (problems []Problem) {
	changes := bindings(values)
	for _, v := range values {
		if v.Key.Name != keyTable {
			continue
		}
		for _, key := range v.Texts {
			if why := keys.Conflict(key, changes); why != "" {
				problems = append(problems, Problem{Line: v.Line, Column: 1, Message: v.Name + ": " + why})
			}
		}
	}
	return problems
}

// syntaxProblem says where a text is no TOML.
func syntaxProblem(err error) Problem {
	p := Problem{Line: 1, Column: 1, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		p.Line, p.Column = at.Position()
	}
	return p
}

// setting is where a file sets something: the name with all its parts.
type setting struct {
	path         []string
	line, column int
	table        bool // only the name of a table, in brackets
}

// in reports whether the setting stands in a table.
func (s setting) in(table []string) bool {
	return len(s.path) > len(table) && slices.Equal(s.path[:len(table)], table)
}

// positions lists where a text, which is valid TOML, sets what. The decoder does not
// report that of the values it gives.
func positions(text []byte) (list []setting) {
	p := unstable.Parser{}
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = nil
			for it := e.Key(); it.Next(); {
				table = append(table, string(it.Node().Data))
			}
			head := at(&p, e.Child(), table)
			head.table = e.Kind == unstable.Table // no key of ours takes an array of them
			list = append(list, head)
		case unstable.KeyValue:
			list = append(list, settings(&p, e, table)...)
		}
	}
	return list
}

// settings lists what a line sets: of an inline table every part.
func settings(p *unstable.Parser, e *unstable.Node, table []string) []setting {
	path := slices.Clone(table)
	var first *unstable.Node
	for it := e.Key(); it.Next(); {
		if first == nil {
			first = it.Node()
		}
		path = append(path, string(it.Node().Data))
	}
	if e.Value().Kind != unstable.InlineTable {
		return []setting{at(p, first, path)}
	}
	head := at(p, first, path)
	head.table = true
	list := []setting{head}
	inner := e.Value().Children()
	for inner.Next() {
		if inner.Node().Kind == unstable.KeyValue {
			list = append(list, settings(p, inner.Node(), path)...)
		}
	}
	return list
}

func at(p *unstable.Parser, key *unstable.Node, path []string) setting {
	start := p.Shape(key.Raw).Start
	return setting{path: slices.Clone(path), line: start.Line, column: start.Column}
}

// find is the value at a path of a decoded file.
func find(whole any, path []string) any {
	for _, part := range path {
		table, ok := whole.(map[string]any)
		if !ok {
			return whole // an array of tables
		}
		whole = table[part]
	}
	return whole
}

// value checks one setting against the table of keys.
func (s setting) value(raw any) (Value, *Problem) {
	name := strings.Join(s.path, ".")
	k := keyOf(s.path)
	if k == nil {
		return Value{}, unknown(s.path)
	}
	texts, err := k.texts(raw)
	if err == nil && k.CheckName != nil && len(texts) == 0 {
		err = errors.New("must not be empty")
	}
	if err == nil {
		for _, text := range texts {
			if err = k.check(text); err != nil {
				break
			}
		}
	}
	var wrong *wrongWord
	switch {
	case errors.As(err, &wrong):
		return Value{}, &Problem{Message: fmt.Sprintf("%s: unknown value %q", name, wrong.word), Hint: meant(wrong.word, wrong.words)}
	case err != nil:
		return Value{}, &Problem{Message: name + " " + err.Error()}
	}
	return Value{Key: k, Name: name, Sub: s.path[len(s.path)-1], Texts: texts}, nil
}

// unknownTable says what is wrong with the name of a table; nil: nothing.
func (s setting) unknownTable() *Problem {
	name := strings.Join(s.path, ".")
	if slices.Contains(tables(), name) {
		return nil
	}
	if k := keyOf(s.path); k != nil {
		return &Problem{Line: s.line, Column: s.column, Message: name + " " + k.Kind.takes()}
	}
	return &Problem{Line: s.line, Column: s.column, Message: fmt.Sprintf("unknown table %q", name), Hint: meant(name, tables())}
}

// unknown says what is wrong with a name, and what may have been meant.
func unknown(path []string) *Problem {
	name := strings.Join(path, ".")
	if table := keyNamed(path[0] + ".*"); table != nil && len(path) == 2 {
		return &Problem{Message: fmt.Sprintf("unknown key %q", name), Hint: table.wrongName(path[1])}
	}
	return &Problem{Message: fmt.Sprintf("unknown key %q", name), Hint: meant(name, names())}
}

// texts brings a value into the one form that all values have.
func (k *Key) texts(raw any) ([]string, error) {
	if list, ok := raw.([]any); ok && k.Kind == Texts {
		texts := []string{}
		for _, one := range list {
			text, ok := one.(string)
			if !ok {
				return nil, errors.New(k.Kind.takes())
			}
			texts = append(texts, text)
		}
		return texts, nil
	}
	switch value := raw.(type) {
	case string:
		if k.Kind == Text || k.Kind == Texts {
			return []string{value}, nil
		}
	case bool:
		if k.Kind == YesNo {
			return []string{strconv.FormatBool(value)}, nil
		}
	case int64:
		if value >= 0 && (k.Kind == Number || k.Kind == Amount) {
			return []string{strconv.FormatInt(value, 10)}, nil
		}
	case float64:
		if k.Kind == Amount && value >= 0 && !math.IsInf(value, 0) {
			return []string{strconv.FormatFloat(value, 'f', -1, 64)}, nil
		}
	}
	return nil, errors.New(k.Kind.takes())
}

// wrongWord is a word that is none of those a key takes.
type wrongWord struct {
	word  string
	words []string
}

func (e *wrongWord) Error() string { return fmt.Sprintf("takes no %q", e.word) }

// check checks one text of a value.
func (k *Key) check(text string) error {
	switch {
	case k.Words != nil && !slices.Contains(k.Words, text):
		return &wrongWord{text, k.Words}
	case text == "" && !k.Empty && k.Kind != YesNo:
		return errors.New("must not be empty")
	case strings.ContainsAny(text, "\x00\n\r"):
		return errors.New("must be one line")
	case k.Check != nil:
		return k.Check(text)
	}
	return nil
}
