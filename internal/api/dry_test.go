package api_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/holder"
)

// change is an operation of the document that is no GET.
type change struct {
	id, method, path string
	dry, async       bool
}

// changes are all of them. What is asked of all projects is served by the same.
func changes(w *world) (list []change) {
	w.t.Helper()
	doc := get[struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In string }
		}
	}](w, "/api/v1/openapi.json")
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if method == "get" || strings.HasSuffix(op.OperationID, "OfAll") {
				continue
			}
			takes := func(name string) bool {
				return slices.Contains(op.Parameters, struct{ Name, In string }{name, "query"})
			}
			list = append(list, change{op.OperationID, strings.ToUpper(method), path, takes("dryRun"), takes("async")})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return strings.Compare(a.id, b.id) })
	return list
}

// dryless are the operations that change no file, label or setting that is there, and
// what they do instead.
var dryless = map[string]string{
	"refreshProjects": "reads the homes again", "sql": "only reads",
	"startRun": "starts a process", "sendToRun": "talks to one", "interruptRun": "talks to one", "stopRun": "ends one", "setRun": "talks to one", "answerPrompt": "talks to one",
	"createAgent": "starts a process", "deleteAgent": "ends one", "uploadImage": "makes something new",
	"cancelJob": "ends a job", "stopServer": "ends the server",
	"createToken": "makes something new", "createCode": "makes something new", "createTicket": "makes something new", "createLink": "makes something new", "login": "makes something new",
	"beginPairing": "makes something new", "confirmPairing": "is a step of a pairing", "refusePairing": "is a step of a pairing", "pair": "is a step of a pairing",
}

// tree is what lies in the home and in our own directories, but for the index, which
// can be made again at any time, and for when tokens were used last, which every
// request can change.
func tree(w *world) map[string]string {
	w.t.Helper()
	files := map[string]string{}
	top := filepath.Dir(w.home)
	w.must(filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == "cache" && filepath.Dir(path) == top {
			return fs.SkipDir
		}
		if e.Name() == "tokens.used" {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(top, path)
		files[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files[name] += fmt.Sprintf(" %x %s", sha256.Sum256(data), info.ModTime())
		}
		return nil
	}))
	return files
}

// differing are the names that two trees do not have alike.
func differing(a, b map[string]string) (names []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for name := range all {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// restingOne is a session that nobody writes.
func restingOne(w *world) string {
	w.t.Helper()
	return get[sessionPage](w, "/sessions?state=ended&limit=1").Sessions[0].ID
}

// trashedOne is a session in the trash.
func trashedOne(w *world) string {
	w.t.Helper()
	id := restingOne(w)
	do[map[string]any](w, access.Manage, "DELETE", "/sessions/"+id, "", 200)
	return id
}

// branched is a session with several conversations, and the leaf of one that is not
// active.
func branched(w *world) (id, leaf string) {
	w.t.Helper()
	type list struct{ Conversations []struct{ Leaf string } }
	for _, s := range get[sessionPage](w, "/sessions?limit=500").Sessions {
		if all := get[list](w, "/sessions/"+s.ID+"/conversations").Conversations; len(all) > 1 {
			return s.ID, all[1].Leaf
		}
	}
	w.t.Fatal("no session has two conversations")
	return "", ""
}

// goneOne is a session that was deleted and is kept.
func goneOne(w *world) string {
	w.t.Helper()
	id := restingOne(w)
	do[map[string]any](w, access.Manage, "POST", "/keep/now", "", 200)
	files, err := filepath.Glob(filepath.Join(w.home, "projects", "*", id+".jsonl"))
	w.must(err)
	for _, file := range files {
		w.must(os.Remove(file))
	}
	w.ask(access.Read, "POST", "/projects/refresh", "")
	return id
}

// endedRun is a run that is over and that no process holds any more: its holder removes
// the socket last.
func endedRun(w *world) string {
	w.t.Helper()
	dir := filepath.Join(filepath.Dir(w.home), "work", "project")
	w.must(os.MkdirAll(dir, 0o700))
	var run holder.Record
	for range 5 { // on a busy machine a holder may not be there in time
		r := w.ask(access.Operate, "POST", "/runs", `{"cwd":`+quoted(dir)+`,"prompt":"hello"}`)
		if r.status == http.StatusOK {
			w.must(json.Unmarshal(r.body, &run))
			break
		}
	}
	w.untilRun(run.ID, "your turn")
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/stop", map[string]any{}, 200)
	w.untilRun(run.ID, "ended")
	socket := filepath.Join(filepath.Dir(w.home), "data", "runs", run.ID, "socket")
	for end := time.Now().Add(time.Minute); !missing(socket); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("run %s has ended, and %s stays", run.ID, socket)
		}
	}
	return run.ID
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// dryRequests make everything ready for an operation and give its address and body.
var dryRequests = map[string]func(*world) (path, body string){
	"updateSession": func(w *world) (string, string) {
		return "/sessions/" + restingOne(w), `{"title":"Another","tags":["x"],"note":"n","starred":true,"source":"helper"}`
	},
	"deleteSession":    func(w *world) (string, string) { return "/sessions/" + restingOne(w) + "?permanent=true", "" },
	"deleteSessions":   func(w *world) (string, string) { return "/sessions?filter=older_than&days=1", "" },
	"archiveSession":   func(w *world) (string, string) { return "/sessions/" + restingOne(w) + "/archive", "" },
	"unarchiveSession": func(w *world) (string, string) { id := archivedOne(w); return "/sessions/" + id + "/unarchive", "" },
	"bulk": func(w *world) (string, string) {
		return "/sessions/bulk", `{"sessionIds":["` + restingOne(w) + `"],"operation":{"action":"delete"}}`
	},
	"restoreTrash":  func(w *world) (string, string) { return "/trash/" + trashedOne(w) + "/restore", "" },
	"purgeTrash":    func(w *world) (string, string) { return "/trash/" + trashedOne(w), "" },
	"repairSession": func(w *world) (string, string) { id, _ := hurt(w); return "/sessions/" + id + "/repair", "" },
	"branchSession": func(w *world) (string, string) {
		id, leaf := branched(w)
		return "/sessions/" + id + "/branch", `{"leaf":"` + leaf + `"}`
	},
	"clean": func(w *world) (string, string) {
		return "/clean", `{"sessions":{"empty":true},"unneeded":["all"]}`
	},
	"moveProject": func(w *world) (string, string) {
		hurt(w)
		w.must(os.RemoveAll(filepath.Join(w.home, "sessions"))) // no client of the home runs
		return "/projects/-srv-hurt/move", `{"to":` + quoted(filepath.Join(w.t.TempDir(), "mended")) + `}`
	},
	"setRetention": func(w *world) (string, string) { return "/keep/retention", `{"days":365}` },
	"keepNow":      func(w *world) (string, string) { return "/keep/now", "" },
	"keepRestore":  func(w *world) (string, string) { return "/keep/" + goneOne(w) + "/restore", "" },
	"undo":         func(w *world) (string, string) { archivedOne(w); return "/undo", "" },
	"restoreFile": func(w *world) (string, string) {
		log := get[struct{ Changes []struct{ Path string } }](w, "/files/log")
		return "/files/restore", `{"path":` + quoted(log.Changes[0].Path) + `,"at":"now","to":` + quoted(filepath.Join(filepath.Dir(w.home), "restored")) + `}`
	},
	"removeRun": func(w *world) (string, string) { return "/runs/" + endedRun(w), "" },
	"revokeLink": func(w *world) (string, string) {
		l, _ := linked(w, restingOne(w), `{}`)
		return "/links/" + l.ID, ""
	},
	"revokeToken": func(w *world) (string, string) {
		_, t, err := w.tokens.Create(w.t.Context(), access.Read, "to be revoked")
		w.must(err)
		return "/tokens/" + t.ID, ""
	},
}

func archivedOne(w *world) string {
	w.t.Helper()
	id := restingOne(w)
	do[map[string]any](w, access.Manage, "POST", "/sessions/"+id+"/archive", "", 200)
	return id
}

// Every operation that changes files, labels or settings takes dryRun, which leaves every
// byte as it was; without it the same request changes something.
func TestDryRunChangesNothing(t *testing.T) {
	for _, op := range changes(sharedWorld(t)) {
		prepare := dryRequests[op.id]
		switch why, exempt := dryless[op.id]; {
		case exempt && op.dry:
			t.Errorf("%s takes dryRun, although it %s", op.id, why)
			continue
		case exempt:
			continue
		case !op.dry:
			t.Errorf("%s %s (%s) takes no dryRun", op.method, op.path, op.id)
			continue
		case prepare == nil:
			t.Errorf("%s takes dryRun, and no request of it is known here", op.id)
			continue
		}
		t.Run(op.id, func(t *testing.T) { checkDryRun(t, op, prepare) })
	}
}

func checkDryRun(t *testing.T, op change, prepare func(*world) (path, body string)) {
	w, _ := runner(t)
	path, body := prepare(w)
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	queries := []string{"dryRun=true"}
	if op.async {
		queries = append(queries, "dryRun=true&async=true")
	}
	before := tree(w)
	for _, query := range queries {
		r := w.ask(access.Operate, op.method, path+sign+query, body)
		if r.status == http.StatusAccepted {
			var begun job
			w.must(json.Unmarshal(r.body, &begun))
			if over := ended(w, begun.ID); over.State != "done" {
				t.Errorf("%s with %s: %s %s", op.id, query, over.State, over.Error)
			}
		} else if r.status != http.StatusOK {
			t.Errorf("%s with %s: %d %s", op.id, query, r.status, clipped(r.body))
		}
		if names := differing(before, tree(w)); len(names) > 0 {
			t.Errorf("%s with %s changes %q", op.id, query, names)
		}
	}
	if r := w.ask(access.Operate, op.method, path, body); r.status != http.StatusOK {
		t.Errorf("%s: %d %s", op.id, r.status, clipped(r.body))
	}
	if len(differing(before, tree(w))) == 0 {
		t.Errorf("%s changes nothing even without dryRun: the request proves nothing", op.id)
	}
}
