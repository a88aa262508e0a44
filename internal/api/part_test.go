package api_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/app"
	"sesskeep/internal/storetest"
)

// No answer gives a part as the whole: one that differs from the answer over everything says so,
// while a first reading is under way and while a directory cannot be read. The answers are those
// of all operations that read.
func TestNoAnswerGivesAPartAsTheWhole(t *testing.T) {
	if !storetest.AsPlain(t) {
		return
	}
	release, held := make(chan bool), make(chan bool, 1)
	w := makeWorldWith(t, t.TempDir(), t.Cleanup, worldOptions{change: func(o *app.Options) {
		o.Patience = time.Millisecond
		o.Progress = func(files, total int, _ int64) {
			if files > total/2 && files < total {
				select {
				case held <- true:
				default:
				}
				<-release
			}
		}
	}})
	w.app.Stay()
	<-held
	half := answers(w)
	close(release)
	awaitWhole(w)
	whole := answers(w)
	for path, r := range whole {
		if complete, known := completeness(r); known && !complete {
			t.Errorf("everything was read, and %s is %s", path, clipped(r.body))
		}
	}
	looksPartial(t, "half of the home was read", "reading", half, whole)
	for _, dir := range []string{"projects/-home-ada-src-parser", "projects"} {
		path := filepath.Join(w.home, dir)
		w.must(os.Chmod(path, 0))
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
		w.must(w.app.Index.Refresh(t.Context()))
		looksPartial(t, dir+" cannot be read", "permission denied", answers(w), whole)
		w.must(os.Chmod(path, 0o700))
		w.must(w.app.Index.Refresh(t.Context()))
	}
	awaitWhole(w)
	var differing map[string]reply
	for end := time.Now().Add(time.Minute); ; time.Sleep(500 * time.Millisecond) { // states follow what can be read
		differing = answers(w)
		maps.DeleteFunc(differing, func(path string, r reply) bool { return reflect.DeepEqual(steadyOf(r), steadyOf(whole[path])) })
		if len(differing) == 0 || time.Now().After(end) {
			break
		}
	}
	for path, r := range differing {
		t.Errorf("%s does not become whole again: %s\nit was %s", path, clipped(r.body), clipped(whole[path].body))
	}
}

// awaitWhole waits until everything is read.
func awaitWhole(w *world) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		w.must(w.app.Index.Ready(w.t.Context()))
		w.must(w.app.Index.Finish(w.t.Context()))
		if w.app.Index.Coverage().Complete {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("the home was read, and the coverage is %+v", w.app.Index.Coverage())
		}
	}
}

// answers asks for everything that can be read, by its path.
func answers(w *world) map[string]reply {
	w.t.Helper()
	list := map[string]reply{}
	now := w.clock.Now()
	defer w.clock.set(now)
	w.clock.set(now.Add(time.Minute)) // later, so that the tokens may ask as often again
	w.ask(access.Operate, http.MethodGet, "/openapi.json", "")
	for _, op := range operations(w) {
		path := strings.TrimPrefix(concrete(op.path), "/api/v1")
		if op.method != http.MethodGet || path == op.path || slices.Contains(streams, path) {
			continue
		}
		switch {
		case strings.HasSuffix(path, "/search"):
			path += "?q=the&exact=true"
		case strings.HasSuffix(path, "/compare"):
			path += "?a=1f6b482c&b=fb6d8a51"
		}
		w.clock.set(now) // so that answers do not differ by the time
		list[path] = w.ask(access.Operate, http.MethodGet, path, "")
	}
	for request, text := range chosen {
		method, path, _ := strings.Cut(request, " ")
		w.clock.set(now)
		list[request] = w.ask(access.Operate, method, path, text)
	}
	return list
}

// chosen are changes of what a filter finds, each with its body: none is made.
var chosen = map[string]string{
	"POST /sessions/bulk?dryRun=true":                        `{"filter":{"source":"all"},"operation":{"action":"archive"}}`,
	"DELETE /sessions?dryRun=true&filter=older_than&days=1":  "",
	"DELETE /sessions?dryRun=true&filter=source&source=user": "",
	"POST /clean?dryRun=true":                                `{"sessions":{"olderThanDays":1}}`,
}

// streams are answers without an end, and those that these requests change.
var streams = []string{"/events", "/runs/x/output", "/metrics", "/openapi.json", "/activity"}

// looksPartial checks that answers which are not those over everything say why, in words, and
// by their coverage if they have one.
func looksPartial(t *testing.T, state, words string, got, whole map[string]reply) {
	t.Helper()
	parts := 0
	for _, path := range slices.Sorted(maps.Keys(got)) {
		r := got[path]
		if reflect.DeepEqual(steadyOf(r), steadyOf(whole[path])) {
			continue
		}
		parts++
		if complete, known := completeness(r); known && complete || !strings.Contains(string(r.body), words) {
			t.Errorf("%s, and %s is %d %s", state, path, r.status, clipped(r.body))
		}
	}
	if parts < 40 {
		t.Errorf("%s: only %d answers are of a part", state, parts)
	}
}

// completeness reports whether an answer is complete by its coverage, and whether it has one.
func completeness(r reply) (complete, known bool) {
	var answer struct {
		Coverage *struct{ Complete *bool }
	}
	if !unmarshals(r.body, &answer) || answer.Coverage == nil || answer.Coverage.Complete == nil {
		return false, false
	}
	return *answer.Coverage.Complete, true
}

// steadyOf is an answer without what depends on the moment.
func steadyOf(r reply) any {
	var v any
	if !unmarshals(r.body, &v) {
		return string(r.body)
	}
	return withoutMoment(v)
}

func withoutMoment(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = withoutMoment(value)
		}
		for _, name := range []string{"score", "next", "uptime", "freeSize"} { // a cursor has a score
			delete(v, name)
		}
	case []any:
		for i := range v {
			v[i] = withoutMoment(v[i])
		}
	}
	return v
}
