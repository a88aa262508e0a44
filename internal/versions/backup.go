package versions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/timeline"
)

// backup is a copy that the client made of a file before it changed it.
type backup struct {
	root   string
	name   string // below the home; empty: there was no file
	prompt string // uuid of the prompt whose changes it comes before; empty: not known
}

// maxBackup bounds a copy that is read.
const maxBackup = 16 << 20

// backupPrefix is how the names of the copies of a file begin.
func backupPrefix(file string) string {
	sum := sha256.Sum256([]byte(file))
	return hex.EncodeToString(sum[:])[:16] + "@v"
}

// addBackups adds the copies that the client has of a file. Only sessions that have one are read.
func (v *Versions) addBackups(ctx context.Context, p *past, file string, sessions map[sessionAt]*catalog.Session) error {
	prefix := backupPrefix(file)
	for at := range sessions {
		home := v.Homes.At(at.root)
		if home == nil || ctx.Err() != nil {
			continue
		}
		dir := path.Join("file-history", at.id)
		names, _ := home.Store.Files().ReadDir(dir) // most sessions have none
		kept := map[string]bool{}
		for _, e := range names {
			if strings.HasPrefix(e.Name(), prefix) {
				kept[e.Name()] = true
			}
		}
		if len(kept) == 0 {
			continue
		}
		refs, err := home.Store.Find(at.id)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if ref.Agent == "" {
				v.addSnapshots(p, home.Store, ref, dir, prefix, kept)
			}
		}
	}
	return nil
}

// snapshotLine is a line by which the client says what it copied.
type snapshotLine struct {
	Message  string      `json:"messageId"`
	Of       string      `json:"snapshotMessageId"` // of a delta: the prompt
	Backup   *backupLine `json:"backup"`            // of a delta
	Snapshot struct {
		Files map[string]backupLine `json:"trackedFileBackups"`
		Time  time.Time             `json:"timestamp"`
	} `json:"snapshot"`
}

type backupLine struct {
	Name *string   `json:"backupFileName"`
	Time time.Time `json:"backupTime"`
}

// addSnapshots reads which copies a session made of a file, and when it still was so.
func (v *Versions) addSnapshots(p *past, store *sesskeep.Store, ref sesskeep.Ref, dir, prefix string, kept map[string]bool) {
	texts := map[string]*string{}
	for e, err := range store.Entries(ref.File) {
		if err != nil {
			return // what can be read counts
		}
		if !strings.HasPrefix(string(e.Kind), "file-history-") || !strings.Contains(string(e.Raw), prefix) {
			continue
		}
		var line snapshotLine
		if json.Unmarshal(e.Raw, &line) != nil {
			continue
		}
		files := line.Snapshot.Files
		prompt := line.Message
		if line.Backup != nil {
			files, prompt = map[string]backupLine{"": *line.Backup}, line.Of
		}
		for _, b := range files {
			if b.Name == nil || !strings.HasPrefix(*b.Name, prefix) || !kept[*b.Name] {
				continue
			}
			name := path.Join(dir, *b.Name)
			if _, ok := texts[name]; !ok {
				texts[name] = nil
				if data, err := store.Files().ReadFile(name, maxBackup); err == nil {
					text := string(data)
					texts[name] = &text
				}
			}
			if texts[name] == nil {
				continue
			}
			at := b.Time
			if line.Snapshot.Time.After(at) {
				at = line.Snapshot.Time
			}
			p.backups[len(p.events)] = backup{store.Root(), name, prompt}
			p.add(timeline.Event{At: at, Kind: timeline.Copied, Text: texts[name]}, nil)
		}
	}
}
