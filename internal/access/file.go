package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// maxFile bounds how much is read of our own files.
const maxFile = 4 << 20

// lockTimeout is how long a change waits for another process.
const lockTimeout = 5 * time.Second

// ErrHeld means that another process is changing the tokens.
var ErrHeld = errors.New("another process is changing the tokens")

// stamp identifies the version of a file that was read.
type stamp struct {
	size  int64
	mtime time.Time
	info  fs.FileInfo
}

func (a stamp) same(b fs.FileInfo) bool {
	return a.info != nil && b != nil && a.size == b.Size() && a.mtime.Equal(b.ModTime()) && os.SameFile(a.info, b)
}

// reload reads the tokens if the file changed. Every change creates a new file, so
// comparing the stamp suffices.
func (s *Store) reload() error {
	info, err := os.Stat(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		s.list, s.seen = nil, stamp{}
		return s.lost()
	}
	if err != nil {
		return fmt.Errorf("read tokens: %w", err)
	}
	if s.seen.same(info) {
		return nil
	}
	data, err := regular.ReadFile(s.path(), maxFile)
	if err != nil {
		return fmt.Errorf("read tokens: %w", err)
	}
	var list []Token
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("read tokens: %s is damaged: %w", s.path(), err)
	}
	s.list, s.seen = list, stamp{info.Size(), info.ModTime(), info}
	return nil
}

// ErrLost means that there were tokens, and that their list is gone.
var ErrLost = errors.New("the list of tokens is missing: those that were made are not valid any more")

// lost distinguishes a list that is gone from one that never existed: an empty file
// beside it records that tokens were created.
func (s *Store) lost() error {
	_, err := os.Stat(s.madePath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read tokens: %w", err)
	}
	return fmt.Errorf("%w (%s)", ErrLost, s.path())
}

func (s *Store) madePath() string { return filepath.Join(s.dir, "tokens.made") }

// change replaces the tokens by the result of f, excluding other processes.
func (s *Store) change(ctx context.Context, f func([]Token) ([]Token, error)) (err error) {
	if err := regular.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	l, err := s.acquireLock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	list, lost := s.List()
	if lost != nil && !errors.Is(lost, ErrLost) {
		return lost
	}
	if list, err = f(list); err != nil {
		return errors.Join(err, lost)
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	if err := s.noteMade(); err != nil {
		return err
	}
	return replace(s.path(), append(data, '\n'))
}

// noteMade records that there is a list of tokens.
func (s *Store) noteMade() error {
	if _, err := os.Stat(s.madePath()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replace(s.madePath(), nil)
}

func (s *Store) acquireLock(ctx context.Context) (*lock.Lock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lockTimeout, ErrHeld)
	defer cancel()
	for {
		l, err := lock.Acquire(filepath.Join(s.dir, "tokens.lock"))
		if !errors.Is(err, lock.ErrHeld) {
			return l, err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// replace writes a file atomically that only its owner can read, whatever the umask.
func replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // created with 0600 and O_EXCL
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// localSecret returns the content of the local token's file; empty if it cannot be
// trusted.
func (s *Store) localSecret() string {
	if private(s.localPath()) != nil {
		return ""
	}
	data, err := regular.ReadFile(s.localPath(), 4096)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
