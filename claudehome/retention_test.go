package claudehome_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/claudehome"
)

func TestRetention(t *testing.T) {
	for _, tt := range []struct {
		name    string
		home    string // an archive; files of others lie in folders managed and project
		days    int
		file    string // how the deciding file's path ends
		problem string // how the problem's file and reason begin
	}{
		{"default", "", 30, "", ""},
		{"home", "-- settings.json --\n{\"env\":{\"K\":1},\"cleanupPeriodDays\":99}", 99, "settings.json", ""},
		{"byte order mark", "-- settings.json --\n\ufeff{\"cleanupPeriodDays\":99}", 99, "settings.json", ""},
		{"whole with a fraction", "-- settings.json --\n{\"cleanupPeriodDays\":9.0}", 9, "settings.json", ""},
		{"never", "-- settings.json --\n{\"cleanupPeriodDays\":99999999999999}", 1<<31 - 1, "settings.json", ""},
		{"the home's local file is another project's", "-- settings.local.json --\n{\"cleanupPeriodDays\":5}", 30, "", ""},
		{"project over home", "-- settings.json --\n{\"cleanupPeriodDays\":99}\n-- project/settings.json --\n{\"cleanupPeriodDays\":7}", 7, "project/settings.json", ""},
		{"local over project", "-- project/settings.local.json --\n{\"cleanupPeriodDays\":8}\n-- project/settings.json --\n{\"cleanupPeriodDays\":7}", 8, "project/settings.local.json", ""},
		{"managed over all", "-- project/settings.local.json --\n{\"cleanupPeriodDays\":8}\n-- managed/managed-settings.json --\n{\"cleanupPeriodDays\":6}", 6, "managed/managed-settings.json", ""},
		{"later piece", "-- managed/managed-settings.json --\n{\"cleanupPeriodDays\":6}\n-- managed/managed-settings.d/10-a.json --\n{\"cleanupPeriodDays\":4}\n-- managed/managed-settings.d/20-b.json --\n{\"cleanupPeriodDays\":3}\n-- managed/managed-settings.d/30-c.json --\n{}", 3, "20-b.json", ""},
		{"unset falls through", "-- settings.json --\n{\"cleanupPeriodDays\":99}\n-- project/settings.json --\n{\"cleanupPeriodDays\":null}", 99, "settings.json", ""},
		{"zero", "-- settings.json --\n{\"cleanupPeriodDays\":0}", 30, "", "settings.json: cleanupPeriodDays must be"},
		{"fraction", "-- settings.json --\n{\"cleanupPeriodDays\":1.5}", 30, "", "settings.json: cleanupPeriodDays must be"},
		{"text", "-- settings.json --\n{\"cleanupPeriodDays\":\"30\"}", 30, "", "settings.json: cleanupPeriodDays must be"},
		{"wrong value decides", "-- project/settings.json --\n{\"cleanupPeriodDays\":-1}\n-- settings.json --\n{\"cleanupPeriodDays\":99}", 30, "", "project/settings.json: cleanupPeriodDays must be"},
		{"broken", "-- settings.json --\n{\"cleanupPeriodDays\":9", 30, "", "settings.json: not valid JSON: it ends too soon"},
		{"a comment", "-- settings.json --\n{ // mine\n\"cleanupPeriodDays\":9}", 30, "", "settings.json: not valid JSON at byte 3"},
		{"blank", "-- settings.json --\n\n", 30, "", ""},
		{"broken falls through", "-- project/settings.json --\n[]\n-- settings.json --\n{\"cleanupPeriodDays\":99}", 99, "settings.json", "project/settings.json: not a JSON object"},
	} {
		s := openHome(t, tt.home+"\n-- project/.keep --\n-- managed/.keep --\n")
		r := claudehome.FindRetention(s, claudehome.RetentionOptions{Project: openDir(t, s.Path("project")), Managed: openDir(t, s.Path("managed"))})
		if r.Days != tt.days || (r.File == "") != (tt.file == "") || !strings.HasSuffix(filepath.ToSlash(r.File), tt.file) {
			t.Errorf("%s: %d days from %q", tt.name, r.Days, r.File)
		}
		var problem string
		for _, p := range r.Problems {
			problem = filepath.ToSlash(strings.TrimPrefix(p.File, s.Root()+string(filepath.Separator))) + ": " + p.Reason
		}
		if !strings.HasPrefix(problem, tt.problem) || tt.problem == "" && problem != "" {
			t.Errorf("%s: problem %q, want %q", tt.name, problem, tt.problem)
		}
	}
}

// In the directory beside the home, the home is the project's directory too.
func TestRetentionAtHome(t *testing.T) {
	s := openHome(t, "-- settings.json --\n{\"cleanupPeriodDays\":99}\n-- settings.local.json --\n{\"cleanupPeriodDays\":5}\n")
	if r := claudehome.FindRetention(s, claudehome.RetentionOptions{Project: s}); r.Days != 5 {
		t.Errorf("%d days, want 5", r.Days)
	}
	if r := claudehome.FindRetention(s, claudehome.RetentionOptions{}); r.Days != 99 {
		t.Errorf("%d days elsewhere, want 99", r.Days)
	}
}

func TestLastSweep(t *testing.T) {
	r := claudehome.FindRetention(openHome(t, "-- .last-cleanup --\n2026-11-15T01:27:05.796Z"), claudehome.RetentionOptions{})
	if want := time.Date(2026, 11, 15, 1, 27, 5, 796e6, time.UTC); !r.LastSweep.Equal(want) {
		t.Errorf("got %v, want %v", r.LastSweep, want)
	}
	r = claudehome.FindRetention(openHome(t, "-- .last-cleanup --\nyesterday"), claudehome.RetentionOptions{})
	if !r.LastSweep.IsZero() || len(r.Problems) != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestExpires(t *testing.T) {
	at := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	if got, want := (claudehome.Retention{Days: 30}).Expires(at), time.Date(2026, 12, 15, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := claudehome.Retention{Days: 30}
	for at := at.In(zone).Add(time.Hour / 2); at.Year() == 2026; at = at.AddDate(0, 0, -7) { // clocks are set in between
		if got := r.Expires(at); got.Sub(at) != 30*24*time.Hour || !r.Cut(got).Equal(at) {
			t.Errorf("what was written at %v expires at %v, which is what was written at %v", at, got, r.Cut(got))
		}
	}
	if _, err := (claudehome.Retention{Days: 1<<31 - 1}).Expires(at).MarshalJSON(); err != nil {
		t.Error(err)
	}
}

func TestRealRetention(t *testing.T) {
	swept := 0
	for name, s := range realHomes(t, "*/.claude") {
		r := claudehome.FindRetention(s, claudehome.RetentionOptions{})
		if r.Days != claudehome.DefaultRetention || r.File != "" || len(r.Problems) != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if r.LastSweep.Year() == 2026 {
			swept++
		}
	}
	if swept == 0 {
		t.Error("no home was ever swept")
	}
}
