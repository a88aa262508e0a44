package access

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"sesskeep/internal/regular"
)

// useInterval is how old a noted use is before the next one is noted: requests that follow
// each other cost one write a minute.
const useInterval = time.Minute

// NoteUse notes that a token was used now. That it cannot be noted is no reason to refuse a
// request: then the last use is unknown.
func (s *Store) NoteUse(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now().UTC().Truncate(time.Second)
	if last, ok := s.used[id]; ok && now.Sub(last) < useInterval {
		return
	}
	if s.reload() != nil {
		return
	}
	used := s.readUses()
	maps.DeleteFunc(used, func(other string, _ time.Time) bool {
		return !slices.ContainsFunc(s.list, func(t Token) bool { return t.ID == other }) // it was revoked
	})
	used[id] = now
	s.used = used
	if text, err := json.Marshal(used); err == nil {
		_ = replace(s.usesPath(), text)
	}
}

// Uses returns when each token was last used, by id. Tokens without a noted use are missing.
func (s *Store) Uses() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readUses()
}

func (s *Store) usesPath() string { return filepath.Join(s.dir, "tokens.used") }

func (s *Store) readUses() map[string]time.Time {
	used := map[string]time.Time{}
	text, err := regular.ReadFile(s.usesPath(), maxFile)
	if err != nil || json.Unmarshal(text, &used) != nil || used == nil {
		return map[string]time.Time{}
	}
	return used
}
