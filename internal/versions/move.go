package versions

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/timeline"
)

// movesAway is how many names of a file are followed back.
const movesAway = 8

// addMoves puts the past of the name that a file was moved from before that of its own.
func (v *Versions) addMoves(ctx context.Context, p *past, file string, depth int) error {
	if depth == 0 {
		return nil
	}
	moves, err := v.movesOf(ctx, file)
	if err != nil || len(moves) == 0 {
		return err
	}
	slices.SortStableFunc(moves, func(a, b moved) int { return b.at.Compare(a.at) })
	for _, m := range moves {
		if m.to != file { // it was moved away or removed
			p.add(timeline.Event{At: m.at, Kind: timeline.Removed}, nil)
			continue
		}
		from := &past{path: m.from, backups: map[int]backup{}}
		if err := v.join(ctx, from, m.from, depth-1); err != nil {
			return err
		}
		if !known(from.events, m.at) {
			continue
		}
		p.drop(func(e *timeline.Event) bool { return e.At.Before(m.at) })
		from.drop(func(e *timeline.Event) bool { return !e.At.Before(m.at) })
		p.append(from)
		return nil
	}
	return nil
}

// known reports whether something is known of a file before a time.
func known(events []timeline.Event, at time.Time) bool {
	return slices.ContainsFunc(events, func(e timeline.Event) bool { return e.At.Before(at) })
}

// drop removes the events for which gone returns true.
func (p *past) drop(gone func(e *timeline.Event) bool) {
	kept := past{backups: map[int]backup{}}
	for i := range p.events {
		if !gone(&p.events[i]) {
			if b, ok := p.backups[i]; ok {
				kept.backups[len(kept.events)] = b
			}
			kept.add(p.events[i], p.writers[i])
		}
	}
	p.events, p.writers, p.backups = kept.events, kept.writers, kept.backups
}

// append adds all events of another past.
func (p *past) append(q *past) {
	for i := range q.events {
		if b, ok := q.backups[i]; ok {
			p.backups[len(p.events)] = b
		}
		p.add(q.events[i], q.writers[i])
	}
}

// moved is a file that got another name; to is empty for one that was removed.
type moved struct {
	at       time.Time
	from, to string
}

// movesOf finds the commands of shells that moved or removed a file.
func (v *Versions) movesOf(ctx context.Context, file string) (list []moved, err error) {
	hits := map[string]bool{}
	key := func(root, file string, line int) string { return fmt.Sprintf("%s\x00%s\x00%d", root, file, line) }
	for _, text := range []string{"tool:Bash mv", fmt.Sprintf("tool:Bash rm %q", path.Base(file))} {
		q, err := query.Parse(text, v.Now())
		if err != nil {
			continue // such a name cannot be searched for
		}
		page, err := v.Catalog.Search(ctx, ask.Search{Query: q, Filter: ask.Filter{Source: ask.AllSources, Archived: ask.ArchivedToo}, Hits: 1 << 20, Bare: true, NoRows: true})
		if err != nil {
			return nil, err
		}
		for i := range page.Results {
			for _, h := range page.Results[i].Hits {
				hits[key(page.Results[i].Root, h.File, h.Line)] = true
			}
		}
	}
	if len(hits) == 0 {
		return nil, nil
	}
	var found []index.FileCalls
	_, err = v.Index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		found, err = x.Commands(ctx, func(root, file string, line int) bool { return hits[key(root, file, line)] })
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	rows, of, _, err := v.rowsOf(ctx, found)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		r := &rows[i]
		err := v.eachCall(r, of[sessionAt{r.Root, r.Ref.File}], func(c *index.Call, l *callLines) {
			if command, ok := commandOf(c, l); ok {
				list = append(list, movesIn(command, l.call.Cwd, file, timeOf(l))...)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// movesIn finds what a command of the shell moves that concerns a file. A word that the shell would change,
// by a variable or a pattern, says nothing.
func movesIn(command, cwd, file string, at time.Time) (list []moved) {
	dir := cwd
	for _, words := range simpleCommands(command) {
		if len(words) > 1 && words[0] == "cd" {
			dir = absolute(words[1], dir)
			continue
		}
		in := dir
		if len(words) > 0 && words[0] == "git" {
			words = words[1:]
			for len(words) > 1 && words[0] == "-C" {
				in, words = absolute(words[1], in), words[2:]
			}
		}
		if len(words) < 2 || words[0] != "mv" && words[0] != "rm" {
			continue
		}
		var names []string
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && !strings.ContainsAny(w, "$*?[{`~") {
				names = append(names, absolute(w, in))
			}
		}
		list = append(list, movesBy(words[0], names, file, at)...)
	}
	return list
}

// movesBy is what one command moves.
func movesBy(verb string, names []string, file string, at time.Time) (list []moved) {
	if verb == "rm" {
		for _, n := range names {
			if below(file, n) {
				list = append(list, moved{at, file, ""})
			}
		}
		return list
	}
	if len(names) < 2 {
		return nil
	}
	sources, to := names[:len(names)-1], names[len(names)-1]
	for _, from := range sources {
		into := to + "/" + path.Base(from)
		switch {
		case below(file, from):
			list = append(list, moved{at, file, "?"})
		case below(file, into):
			list = append(list, moved{at, from + strings.TrimPrefix(file, into), file})
		case below(file, to) && len(sources) == 1:
			list = append(list, moved{at, from + strings.TrimPrefix(file, to), file})
		}
	}
	return list
}

// below reports whether a path is another one, or in it.
func below(file, dir string) bool { return file == dir || strings.HasPrefix(file, dir+"/") }

// simpleCommands splits a command line at what joins commands, into words without their quotes. A redirection
// ends a command.
func simpleCommands(line string) (list [][]string) {
	var words []string
	var word strings.Builder
	inWord := false
	end := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	done := func() {
		end()
		if len(words) > 0 {
			list = append(list, words)
		}
		words = nil
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '\'', '"':
			inWord = true
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && line[i] == '\\' && i+1 < len(line) {
					i++
				}
				word.WriteByte(line[i])
			}
		case '\\':
			if i++; i < len(line) && line[i] != '\n' {
				inWord = true
				word.WriteByte(line[i])
			}
		case ' ', '\t':
			end()
		case ';', '&', '|', '\n', '(', ')', '<', '>':
			done()
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	done()
	return list
}

// commandOf is the command of a call of the shell that did not fail.
func commandOf(c *index.Call, l *callLines) (string, bool) {
	var in struct {
		Command string `json:"command"`
	}
	id := ""
	for _, b := range l.call.Blocks() {
		if b.Name == "Bash" && index.LineID(b.ID) == c.ID && json.Unmarshal(b.Input, &in) == nil {
			id = b.ID
		}
	}
	for _, b := range l.result.Blocks() {
		if id != "" && b.ID == id && b.Name == "" {
			return in.Command, !b.Error
		}
	}
	return "", false
}
