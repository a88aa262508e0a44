package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep/internal/access"
)

type blockPage struct {
	SessionID string  `json:"sessionId"`
	Leaf      string  `json:"leaf"`
	Blocks    []block `json:"blocks"`
	Before    int     `json:"turnsBefore"`
	After     int     `json:"turnsAfter"`
}

type block struct {
	Kind      string `json:"kind"`
	MessageID string `json:"messageId"`
	Line      int    `json:"line"`
	Text      string `json:"text"`
}

// A conversation is the same whether it is read at once or window by window.
func TestBlocks(t *testing.T) {
	w := sharedWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		at := "/sessions/" + s.ID + "/blocks"
		whole := get[blockPage](w, at+"?before=500")
		if len(whole.Blocks) == 0 || whole.Before > 0 {
			continue // nothing was said, or more than a page
		}
		var pieces []string
		next := whole.Blocks[0].MessageID
		page := get[blockPage](w, at+"?before=0&after=0&around="+next)
		for {
			for _, b := range page.Blocks {
				pieces = append(pieces, b.MessageID)
			}
			if page.After == 0 {
				break
			}
			last := page.Blocks[len(page.Blocks)-1].MessageID
			both := get[blockPage](w, at+"?before=0&after=1&around="+last)
			both.Blocks = both.Blocks[len(page.Blocks):]
			page = both
		}
		if len(pieces) != len(whole.Blocks) {
			t.Errorf("%s: %d blocks in pieces, %d at once", s.ID, len(pieces), len(whole.Blocks))
			continue
		}
		for i, b := range whole.Blocks {
			if pieces[i] != b.MessageID {
				t.Errorf("%s: block %d is of %s, and of %s at once", s.ID, i, pieces[i], b.MessageID)
			}
		}
	}
}

// Every conversation can be read by its leaf, and every turn of the tree is in it.
func TestConversations(t *testing.T) {
	w := sharedWorld(t)
	type conversations struct {
		Conversations []struct {
			Leaf   string
			Active bool
		}
		Total int
	}
	type tree struct {
		Turns []struct{ ID, ParentID string }
	}
	several := 0
	for _, s := range get[sessionPage](w, "/sessions?limit=500").Sessions {
		list := get[conversations](w, "/sessions/"+s.ID+"/conversations")
		if list.Total != len(list.Conversations) {
			t.Errorf("%s: %d of %d", s.ID, len(list.Conversations), list.Total)
		}
		if list.Total > 1 {
			several++
		}
		for _, c := range list.Conversations {
			if page := get[blockPage](w, "/sessions/"+s.ID+"/blocks?leaf="+c.Leaf); page.Leaf != c.Leaf {
				t.Errorf("%s:%s is %s", s.ID, c.Leaf, page.Leaf)
			}
		}
		known := map[string]bool{"": true}
		for _, turn := range get[tree](w, "/sessions/"+s.ID+"/tree").Turns {
			if !known[turn.ParentID] {
				t.Errorf("%s: %s hangs on %s, which is not there", s.ID, turn.ID, turn.ParentID)
			}
			known[turn.ID] = true
		}
	}
	if several == 0 {
		t.Error("no session has several conversations")
	}
}

// Raw lines are those of the file, byte for byte.
func TestRaw(t *testing.T) {
	w := sharedWorld(t)
	type raw struct {
		File  string
		Lines []struct {
			Line int
			Raw  jsonText
			Text string
		}
		NextLine int
	}
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		var got bytes.Buffer
		file, from := "", 1
		for from > 0 {
			page := get[raw](w, "/sessions/"+s.ID+"/raw?limit=40&line="+itoa(from))
			for _, l := range page.Lines {
				if l.Line != from {
					t.Fatalf("%s: line %d comes as %d", s.ID, from, l.Line)
				}
				from++
				got.WriteString(string(l.Raw) + l.Text + "\n")
			}
			file = page.File
			if from = page.NextLine; from == 0 {
				break
			}
		}
		want, err := os.ReadFile(filepath.Join(w.home, filepath.FromSlash(file)))
		w.must(err)
		if s.ID != "" && !bytes.Equal(bytes.TrimSuffix(got.Bytes(), []byte("\n")), bytes.TrimSuffix(bytes.ToValidUTF8(want, []byte("\uFFFD")), []byte("\n"))) {
			t.Errorf("%s: %d bytes instead of %d", file, got.Len(), len(want))
		}
	}
}

// What a session is made of is told for every session.
func TestParts(t *testing.T) {
	w := sharedWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		for _, part := range []string{"agents", "files?patch=true", "usage"} {
			if r := w.ask(access.Read, http.MethodGet, "/sessions/"+s.ID+"/"+part, ""); r.status != http.StatusOK {
				t.Errorf("%s of %s: %d %s", part, s.ID, r.status, clipped(r.body))
			}
		}
	}
}

type outlinePage struct {
	Leaf  string
	Turns int `json:"turnCount"`
	Items []struct {
		Kind      string
		Turn      int
		MessageID string `json:"messageId"`
	}
	Forks []struct {
		Turn int
		Ways []struct {
			MessageID string `json:"messageId"`
			Leaf      string
			Here      bool
		}
	}
}

// What an outline names is there: every item in the stretch that begins with its
// turn, and every way of a fork at the same turn of its own conversation.
func TestOutlineLeadsThere(t *testing.T) {
	w := sharedWorld(t)
	kinds, forks := map[string]int{}, 0
	for _, s := range get[sessionPage](w, "/sessions?limit=500").Sessions {
		at := "/sessions/" + s.ID
		out := get[outlinePage](w, at+"/outline?all=true")
		for _, item := range out.Items {
			kinds[item.Kind]++
			page := get[blockPage](w, fmt.Sprintf("%s/blocks?leaf=%s&from=%d&after=0", at, out.Leaf, item.Turn))
			if page.Before != item.Turn || page.Before+page.After+1 != out.Turns || !page.has(item.MessageID) {
				t.Errorf("%s: %s %s is not turn %d of %d", s.ID, item.Kind, item.MessageID, item.Turn, out.Turns)
			}
		}
		for _, fork := range out.Forks {
			here := 0
			for _, way := range fork.Ways {
				forks++
				if way.Here {
					here++
				}
				page := get[blockPage](w, fmt.Sprintf("%s/blocks?leaf=%s&from=%d&after=0", at, way.Leaf, fork.Turn))
				if page.Leaf != way.Leaf || !page.has(way.MessageID) {
					t.Errorf("%s: %s is not turn %d of %s", s.ID, way.MessageID, fork.Turn, way.Leaf)
				}
			}
			if here != 1 {
				t.Errorf("%s: %d ways of a fork are the one that is read", s.ID, here)
			}
		}
	}
	if kinds["prompt"] == 0 || kinds["compaction"] == 0 || kinds["error"] == 0 || forks == 0 {
		t.Errorf("nothing was tried: %v, %d ways", kinds, forks)
	}
}

func (p *blockPage) has(message string) bool {
	return slices.ContainsFunc(p.Blocks, func(b block) bool { return b.MessageID == message })
}
