package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

type messagePage struct {
	APIVersion string
	Messages   []struct {
		ID, Timestamp string
		Message       struct {
			Type, Content string
			Result        *struct{ Output string }
		}
		RawContent []struct{ Type string }
	}
	Pagination struct {
		Total, Limit, Offset   int
		HasMore                bool
		NextCursor, PrevCursor string
	}
	Filters struct {
		Types []string
		Order string
	}
	Integrity struct{ TotalLines, ValidLines, CorruptedLines int }
	Error     *struct{ Code, CursorID string }
}

func (p *messagePage) ids() (list []string) {
	for _, m := range p.Messages {
		list = append(list, m.ID)
	}
	return list
}

// walkMessages asks for one page after the other and gives all ids.
func walkMessages(w *world, at, query string, next func(*messagePage, int) string) (ids []string) {
	w.t.Helper()
	more := ""
	for {
		page := get[messagePage](w, at+query+more)
		ids = append(ids, page.ids()...)
		if len(ids) > page.Pagination.Total {
			w.t.Fatalf("%s: %d messages of %d", at+query, len(ids), page.Pagination.Total)
		}
		if !page.Pagination.HasMore {
			return ids
		}
		more = next(&page, len(ids))
	}
}

// Whichever way a conversation is paged through, every message comes once, and
// total is how many come.
func TestMessagesPaging(t *testing.T) {
	w := sharedWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		at := "/projects/" + strings.ReplaceAll(s.ProjectPath, "/", "-") + "/sessions/" + strings.ToUpper(s.ID) + "/messages?order="
		var want []string
		for from := 0; ; from += 100 {
			page := get[messagePage](w, at+"asc&limit=1000&offset="+itoa(from))
			want = append(want, page.ids()...)
			if !page.Pagination.HasMore {
				if len(want) != page.Pagination.Total || page.Pagination.Limit != 100 {
					t.Errorf("%s: %d messages of %d", s.ID, len(want), page.Pagination.Total)
				}
				break
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(want)))) != len(want) {
			t.Errorf("%s: an id comes twice", s.ID)
		}
		offset := func(_ *messagePage, n int) string { return "&offset=" + itoa(n) }
		older := func(p *messagePage, _ int) string { return "&before=" + strings.ToUpper(p.Pagination.NextCursor) }
		newer := func(p *messagePage, _ int) string { return "&after=" + p.Pagination.PrevCursor }
		back := slices.Clone(want)
		slices.Reverse(back)
		for name, got := range map[string][]string{
			"by offset": walkMessages(w, at, "desc&limit=7", offset), "by before": walkMessages(w, at, "desc&limit=7", older),
		} {
			if !slices.Equal(got, back) {
				t.Errorf("%s %s: %d messages instead of %d", s.ID, name, len(got), len(back))
			}
		}
		if got := walkMessages(w, at, "asc&limit=7", newer); !slices.Equal(got, want) {
			t.Errorf("%s by after: %d messages instead of %d", s.ID, len(got), len(want))
		}
		sum := 0
		for _, kind := range []string{"user", "assistant", "thinking", "tool_use", "tool_result", "system"} {
			got := walkMessages(w, at, "desc&limit=5&types="+kind, older)
			sum += len(got)
			if page := get[messagePage](w, at+"desc&limit=1&types="+kind); page.Pagination.Total != len(got) {
				t.Errorf("%s: %d of %s, and %d come", s.ID, page.Pagination.Total, kind, len(got))
			}
		}
		if sum != len(want) {
			t.Errorf("%s: the types have %d messages, together %d", s.ID, sum, len(want))
		}
	}
}

// Questions that make no sense are refused; a cursor that is gone is told in the
// page, where the client looks for it.
func TestMessagesQuestions(t *testing.T) {
	w := sharedWorld(t)
	const at = "/sessions/39877941-aab8-4b02-abd4-e7471d0664fc/messages?"
	for query, want := range map[string]int{
		"": 200, "limit=x": 400, "order=up": 400, "types=user,nothing": 400, "types=state": 200,
		"before=ffffffff&offset=2": 400, "leaf=ffffffff": 404, "limit=0": 200, "offset=99999999999999999999": 200,
	} {
		if r := w.ask(access.Read, http.MethodGet, at+query, ""); r.status != want {
			t.Errorf("%s: %d %s", query, r.status, clipped(r.body))
		}
	}
	page := get[messagePage](w, at+"before=ffffffff-0000-4000-8000-000000000000")
	if page.Error == nil || page.Error.Code != "CURSOR_NOT_FOUND" || len(page.Messages) > 0 || page.Pagination.Total == 0 {
		t.Errorf("a cursor that is not there: %+v", page)
	}
	first := get[messagePage](w, at+"includeRawContent=true")
	if first.APIVersion != "2.0" || first.Pagination.Limit != 25 || first.Filters.Order != "desc" || first.Integrity.TotalLines == 0 {
		t.Errorf("the first page is %+v", first)
	}
	for _, m := range first.Messages {
		if len(m.RawContent) == 0 || m.Timestamp == "" {
			t.Errorf("%+v has no blocks or no time", m)
		}
	}
}
