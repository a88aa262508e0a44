package claudehome_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

const registryHome = `
-- sessions/12.json --
{"pid":12,"sessionId":"aaaaaaaa-0000-4000-8000-000000000001","cwd":"/w","startedAt":1700000000000,"procStart":"777","version":"2.1.325","peerProtocol":1,"peerFeatures":["notify_idle"],"kind":"interactive","entrypoint":"cli","pidDomain":"linux:m:pid:[1]","name":"x","nameSource":"auto","nameSince":1700000000001,"status":"waiting","waitingFor":"permission prompt","updatedAt":1700000000003,"statusUpdatedAt":1700000000002,"jobId":"aaaaaaaa"}
-- sessions/13.json --
{"pid":13,"sessionId":"aaaaaaaa-0000-4000-8000-000000000002","startedAt":1700000001000}tail of a longer value"}
-- sessions/pid-14.json --
{"session_id":"old","cwd":"/w/old"}
-- sessions/15.json --
{"pid":15,"sessionId":"aaaa
-- sessions/16.json --
-- sessions/17.json --
{"pid":"17","sessionId":"odd","startedAt":"2023-11-14T22:13:22Z","peerFeatures":"one","status":null,"name":7}
-- sessions/18.json --
{"pid":18}
-- sessions/12.00ff.key --
secret
-- sessions/notes.json --
{"sessionId":"no"}
`

func TestRegistry(t *testing.T) {
	alive := func(pid int, start, domain string) bool {
		return pid == 12 && start == "777" && domain == "linux:m:pid:[1]"
	}
	lives, problems, err := claudehome.Registry(openHome(t, registryHome), alive)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]claudehome.Live{}
	var order []int
	for _, l := range lives {
		got[l.PID] = l
		order = append(order, l.PID)
	}
	if want := []int{17, 13, 12, 14}; !reflect.DeepEqual(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	want := claudehome.Live{
		PID: 12, Start: "777", Domain: "linux:m:pid:[1]", Alive: true,
		Session: "aaaaaaaa-0000-4000-8000-000000000001", Cwd: "/w",
		Started: time.UnixMilli(1700000000000).UTC(), Status: "waiting", WaitingFor: "permission prompt",
		StatusSince: time.UnixMilli(1700000000002).UTC(), Updated: time.UnixMilli(1700000000003).UTC(),
		Name: "x", NameSource: "auto", NameSince: time.UnixMilli(1700000000001).UTC(),
		Kind: "interactive", Entrypoint: "cli", Version: "2.1.325", Job: "aaaaaaaa",
		Protocol: 1, Features: []string{"notify_idle"}, File: "sessions/12.json",
	}
	if !reflect.DeepEqual(got[12], want) {
		t.Errorf("got  %+v\nwant %+v", got[12], want)
	}
	if l := got[14]; l.Session != "old" || l.Cwd != "/w/old" || l.Alive {
		t.Errorf("legacy: %+v", l)
	}
	if l := got[17]; l.Name != "7" || l.Status != "" || !l.Started.Equal(time.UnixMilli(1700000002000)) || len(l.Features) != 1 {
		t.Errorf("odd types: %+v", l)
	}
	var bad []string
	for _, p := range problems {
		bad = append(bad, p.File+": "+string(p.Code)+": "+p.Reason)
	}
	if want := []string{"sessions/15.json: broken: cut off", "sessions/16.json: broken: empty", "sessions/18.json: broken: names no session"}; !reflect.DeepEqual(bad, want) {
		t.Errorf("problems %q, want %q", bad, want)
	}
}

func TestProjectPaths(t *testing.T) {
	for _, tt := range []struct {
		name, json, want string
	}{
		{"plain", `{"a":{"projects":{"/no":1}},"projects":{"/w/a":{"x":{"/no":1}},"/w/b":{}},"b":1}`, "/w/a /w/b"},
		{"byte order mark", "\ufeff" + `{"projects":{"/w/a":{}}}`, "/w/a"},
		{"cut in a value", `{"projects":{"/w/a":{},"/w/b":{"history":["x`, "/w/a /w/b"},
		{"cut in a key", `{"projects":{"/w/a":{},"/w`, "/w/a"},
		{"escapes", `{"projects":{"C:\\w\u0041":{}}}`, `C:\wA`},
		{"not an object", `{"projects":["/w/a"]}`, ""},
		{"none", `{}`, ""},
		{"no JSON", `hello`, ""},
		{"empty", ``, ""},
	} {
		if got := strings.Join(claudehome.ProjectPaths([]byte(tt.json)), " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRealRegistry(t *testing.T) {
	all := map[string]int{}
	for _, pattern := range []string{"*/.claude", "*/snapshots/*"} {
		for name, s := range realHomes(t, pattern) {
			lives, problems, err := claudehome.Registry(s, nil)
			if err != nil || len(problems) != 0 {
				t.Errorf("%s: problems %v, error %v", name, problems, err)
			}
			for _, l := range lives {
				if !sesskeep.IsUUID(string(l.Session)) || l.Start == "" || l.Domain == "" || l.Started.IsZero() || l.Alive {
					t.Errorf("%s: %+v", name, l)
				}
				all[l.Status+" "+l.WaitingFor]++
			}
		}
	}
	for _, want := range []string{"busy ", "idle ", "waiting permission prompt"} {
		if all[want] == 0 {
			t.Errorf("nobody is %q in %v", want, all)
		}
	}
}
