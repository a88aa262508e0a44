package cli

import (
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a newer sesskeep wrote is left alone: every command that would change something
// refuses and says why, and our data is as it was.
func TestNewerStores(t *testing.T) {
	for name, newer := range map[string]func(t *testing.T, data string){
		"journal": func(t *testing.T, data string) {
			line := `{"id":9,"needs":3,"time":"2027-01-01T10:00:00Z","verb":"merge","state":"begun","steps":[{"merge":{"file":"x"}}]}` + "\n"
			f, err := os.OpenFile(filepath.Join(data, "journal.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteString(line)
			must(t, err)
			must(t, f.Close())
		},
		"labels": func(t *testing.T, data string) { bump(t, filepath.Join(data, "labels.db")) },
		"labels lost, with a newer backup": func(t *testing.T, data string) {
			backups, err := filepath.Glob(filepath.Join(data, "backup", "labels-*.db"))
			must(t, err)
			for _, b := range backups {
				bump(t, b)
			}
			must(t, os.Remove(filepath.Join(data, "labels.db")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOwnWorld(t)
			w.run(0, "session", "star", "1111")
			newer(t, w.data)
			before := w.stores()
			commands := [][]string{{"session", "star", "2222"}, {"session", "star", "2222", "--dry-run"}, {"session", "rename", "1111", "x"}, {"undo"}}
			if name == "journal" {
				commands = append(commands, []string{"session", "trash", "1111"}, []string{"log"})
			}
			for _, args := range commands {
				_, stderr := w.run(5, args...)
				if !strings.Contains(stderr, "written by a newer sesskeep") {
					t.Errorf("%v says %s", args, stderr)
				}
			}
			if after := w.stores(); !maps.Equal(before, after) {
				t.Errorf("changed: %v, want %v", after, before)
			}
			_, stderr := w.run(0, "ls", "--all")
			if strings.HasPrefix(name, "labels") && !strings.Contains(stderr, "written by a newer sesskeep") {
				t.Errorf("ls says %q", stderr)
			}
		})
	}
}

// bump makes a database one of a newer version.
func bump(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 2")
	must(t, err)
	must(t, db.Close())
}
