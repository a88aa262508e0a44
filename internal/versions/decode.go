package versions

import (
	"encoding/json"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/index"
	"sesskeep/internal/timeline"
)

// input has the arguments of a call that reads or changes a file.
type input struct {
	Content    *string `json:"content"`
	Old        string  `json:"old_string"`
	New        string  `json:"new_string"`
	All        bool    `json:"replace_all"`
	Edits      []input `json:"edits"`
	Offset     int     `json:"offset"`
	NewContent string  `json:"new_source"`
}

// outcome is what a tool reports.
type outcome struct {
	Type     string   `json:"type"`
	Old      *string  `json:"oldString"`
	New      *string  `json:"newString"`
	Content  *string  `json:"content"`
	Original *string  `json:"originalFile"`
	Contents *string  `json:"originalFileContents"` // of a MultiEdit
	Patch    []region `json:"structuredPatch"`
	User     bool     `json:"userModified"`
	// Of a notebook.
	Notebook *string `json:"original_file"`
	Updated  *string `json:"updated_file"`
	File     *struct {
		Content string `json:"content"`
		Start   int    `json:"startLine"`
		Lines   int    `json:"numLines"`
		Total   int    `json:"totalLines"`
	} `json:"file"`
}

type region struct {
	OldStart int      `json:"oldStart"`
	NewStart int      `json:"newStart"`
	Lines    []string `json:"lines"`
}

// timeOf is when a call was over.
func timeOf(l *callLines) time.Time {
	if l.result.Time.IsZero() {
		return l.call.Time
	}
	return l.result.Time
}

// eventOf is what a call says of its file. It reports false if that is nothing: it failed, was denied or
// only looked at what it had seen.
func eventOf(c *index.Call, l *callLines) (e timeline.Event, ok bool) {
	in, said, ok := blocksOf(c, l)
	if !ok {
		return e, false
	}
	var out outcome
	_ = json.Unmarshal(l.result.Result, &out) // a result that is no object says nothing more
	e = timeline.Event{At: timeOf(l), Before: out.Original, Patch: regionsOf(out.Patch)}
	switch c.Tool {
	case "Read":
		return readEvent(e, &out)
	case "Write":
		e.Kind = timeline.Wrote
		if e.Text = in.Content; out.Content != nil {
			e.Text = out.Content
		}
		e.Created = out.Type == "create" || out.Type == "" && strings.Contains(said, "created successfully")
		return e, e.Text != nil
	case "Edit":
		e.Kind = timeline.Edited
		e.Swaps = []timeline.Swap{swapOf(&in, &out)}
		e.Created = in.Old == "" && e.Before == nil
		return e, true
	case "MultiEdit":
		e.Kind, e.Before = timeline.Edited, out.Contents
		for i := range in.Edits {
			e.Swaps = append(e.Swaps, swapOf(&in.Edits[i], &outcome{}))
		}
		e.Created = len(e.Swaps) > 0 && e.Swaps[0].Old == "" && e.Before == nil
		return e, true
	case "NotebookEdit":
		e.Before = out.Notebook
		if e.Kind, e.Text = timeline.Wrote, out.Updated; e.Text == nil {
			e.Kind = timeline.Changed // the client writes the JSON of a notebook anew
		}
		return e, true
	}
	return e, false
}

func swapOf(in *input, out *outcome) timeline.Swap {
	s := timeline.Swap{Old: in.Old, New: in.New, All: in.All}
	if out.Old != nil && out.New != nil { // as the client made it, and the user changed it
		s.Old, s.New = *out.Old, *out.New
	}
	return s
}

// readEvent is a file that was read, as a whole or in part.
func readEvent(e timeline.Event, out *outcome) (timeline.Event, bool) {
	f := out.File
	if out.Type != "text" || f == nil {
		return e, false
	}
	e.Kind, e.Text, e.Start, e.Total = timeline.SawPart, &f.Content, f.Start, f.Total
	if f.Start <= 1 && f.Lines == f.Total {
		e.Kind = timeline.Saw
	}
	return e, true
}

func regionsOf(list []region) (regions []timeline.Region) {
	if list != nil {
		regions = []timeline.Region{}
	}
	for _, r := range list {
		regions = append(regions, timeline.Region(r))
	}
	return regions
}

// blocksOf finds the input of a call and the text of its result. It reports false if the call failed.
func blocksOf(c *index.Call, l *callLines) (in input, said string, ok bool) {
	id := ""
	for _, b := range l.call.Blocks() {
		if b.ID != "" && index.LineID(b.ID) == c.ID && b.Name != "" {
			id = b.ID
			if json.Unmarshal(b.Input, &in) != nil {
				return in, "", false
			}
		}
	}
	for _, b := range l.result.Blocks() {
		if id != "" && b.ID == id && b.Name == "" {
			return in, textOf(b.Content), !b.Error
		}
	}
	return in, "", false
}

func textOf(blocks []sesskeep.Block) string {
	var b strings.Builder
	for i := range blocks {
		b.WriteString(blocks[i].Text)
	}
	return b.String()
}
