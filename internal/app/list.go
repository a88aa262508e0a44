package app

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filter chooses rows. Its zero value is every session a person or a program
// started, in all projects.
type Filter struct {
	Project string // short name; empty: all
	Source  string // user, agent, helper or all; empty: user
	Started Started
	Branch  string
	Model   string // part of a model's name
	Since   time.Time
	Until   time.Time
	Parent  string // agents of this session
	MinSize int64

	Sort   string // activity, created, messages, size, title; "-" turns it round
	Limit  int    // 0: all
	Offset int
}

// Page is a list of rows with what it leaves out.
type Page struct {
	Sessions []Row          `json:"sessions"`
	Total    int            `json:"total"`
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next,omitempty"`
	Hidden   map[string]int `json:"hidden"`
}

// List finds the rows that match. Hidden counts, by source, those that match
// but for it.
func (c *Catalog) List(f Filter) (Page, error) {
	order, err := f.order()
	if err != nil {
		return Page{}, err
	}
	page := Page{Hidden: map[string]int{}}
	var rows []Row
	for i := range c.Rows {
		r := &c.Rows[i]
		switch {
		case !f.matches(r):
		case !f.shows(r.Source):
			page.Hidden[string(r.Source)]++
		default:
			rows = append(rows, *r)
		}
	}
	slices.SortStableFunc(rows, order)
	page.Total = len(rows)
	page.Sessions, page.HasMore, page.Next = window(rows, f.Limit, f.Offset)
	return page, nil
}

func (f *Filter) shows(s Source) bool {
	switch f.Source {
	case "":
		return s == FromUser
	case "all":
		return true
	}
	return string(s) == f.Source
}

// matches applies everything but the source.
func (f *Filter) matches(r *Row) bool {
	switch {
	case f.Project != "" && r.Project != f.Project,
		f.Started != "" && r.Started != f.Started,
		f.Branch != "" && r.GitBranch != f.Branch,
		f.Model != "" && !slices.ContainsFunc(r.Models, func(m string) bool { return strings.Contains(m, f.Model) }),
		f.Parent != "" && r.ParentSessionID != f.Parent,
		!f.Since.IsZero() && r.LastActivityAt.Before(f.Since),
		!f.Until.IsZero() && !r.LastActivityAt.Before(f.Until),
		r.FileSize < f.MinSize:
		return false
	}
	return true
}

// Sorts are the words Filter.Sort takes.
var Sorts = []string{"activity", "created", "messages", "prompts", "size", "title"}

func (f *Filter) order() (func(a, b Row) int, error) {
	word, back := strings.CutPrefix(f.Sort, "-")
	var by func(a, b Row) int
	switch word {
	case "", "activity":
		by = func(a, b Row) int { return b.LastActivityAt.Compare(a.LastActivityAt.Time) }
	case "created":
		by = func(a, b Row) int { return b.CreatedAt.Compare(a.CreatedAt.Time) }
	case "messages":
		by = func(a, b Row) int { return cmp.Compare(b.MessageCount, a.MessageCount) }
	case "prompts":
		by = func(a, b Row) int { return cmp.Compare(b.PromptCount, a.PromptCount) }
	case "size":
		by = func(a, b Row) int { return cmp.Compare(b.FileSize, a.FileSize) }
	case "title":
		by = func(a, b Row) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }
	default:
		return nil, fmt.Errorf("unknown sort %q: use one of %s", f.Sort, strings.Join(Sorts, ", "))
	}
	order := func(a, b Row) int { return cmp.Or(by(a, b), strings.Compare(a.ID, b.ID)) }
	if back {
		return func(a, b Row) int { return order(b, a) }, nil
	}
	return order, nil
}

// window cuts a page out of a list. It never returns nil: lists are never null
// in JSON.
func window[T any](all []T, limit, offset int) (page []T, more bool, next string) {
	offset = max(0, min(offset, len(all)))
	end := len(all)
	if limit > 0 {
		end = min(end, offset+limit)
	}
	page = append([]T{}, all[offset:end]...)
	if end < len(all) {
		return page, true, strconv.Itoa(end)
	}
	return page, false, ""
}
