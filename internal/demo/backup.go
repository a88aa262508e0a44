package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// backup is the latest copy of a file that the client can go back to.
type backup struct {
	path    string // below the working directory
	version int
	content string
	name    string // in file-history; empty if there was no file yet
	at      time.Time
}

func (b *backup) fields(cwd string) fields {
	return fields{"backupFileName", orNull(b.name), "version", b.version, "backupTime", stamp(b.at), "realParentDir", cwd}
}

// backup keeps a file as it is before its first change.
func (s *session) backup(path, row string) {
	if !s.modern() || s.agent != "" || s.entrypoint != "cli" {
		return
	}
	for _, b := range s.backups {
		if b.path == path {
			return
		}
	}
	b := &backup{path: path}
	s.backups = append(s.backups, b)
	s.keep(b)
	s.rows = append(s.rows, bare("file-history-delta", "messageId", row, "snapshotMessageId", s.promptAt,
		"trackingPath", path, "backup", b.fields(s.cwd), "timestamp", stamp(s.clock)))
}

// bare is a line that does not name its session.
func bare(kind string, body ...any) row { return row{body: append(fields{"type", kind}, body...)} }

// keep copies the file as it is now. One that does not exist has no copy.
func (s *session) keep(b *backup) {
	b.version++
	b.content, b.at = s.content(b.path), s.clock
	b.name = ""
	if b.content == "" {
		return
	}
	sum := sha256.Sum256([]byte(s.cwd + "/" + b.path))
	b.name = fmt.Sprintf("%s@v%d", hex.EncodeToString(sum[:])[:16], b.version)
	s.h.put("file-history/"+s.id+"/"+b.name, []byte(b.content), s.clock)
}

// snapshot notes, at every prompt, which copies the files were at.
func (s *session) snapshot() {
	if s.entrypoint != "cli" {
		return
	}
	tracked := fields{}
	for _, b := range s.backups {
		if b.content != s.content(b.path) {
			s.keep(b)
		}
		tracked = append(tracked, b.path, b.fields(s.cwd))
	}
	s.rows = append(s.rows, bare("file-history-snapshot", "messageId", s.promptAt, "snapshot",
		fields{"messageId", s.promptAt, "trackedFileBackups", tracked, "timestamp", stamp(s.clock)}, "isSnapshotUpdate", false))
}
