package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Token describes a token without its secret.
type Token struct {
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty"` // the user's name for it
	Role      Role      `json:"role"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"` // zero: valid until it is revoked
	Device    bool      `json:"device,omitempty"`   // it belongs to a paired device
	Hash      string    `json:"hash"`               // SHA-256 of the secret
	// Projects limit the token: it may only ask as a model does, about these projects. nil: it
	// is not limited.
	Projects []string `json:"projects,omitempty"`
}

// The errors of a Store.
var (
	ErrNoToken = errors.New("no such token")
	ErrExposed = errors.New("others can read it")
)

// LocalID is the id of the token for programs of the same user.
const LocalID = "local"

// prefix shows people and secret scanners what the rest is.
const prefix = "sesskeep_"

// Store contains the tokens of one state directory.
type Store struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	seen stamp // of the file that list was read from
	list []Token
	used map[string]time.Time // when this process noted uses last, by id
}

// Open opens the tokens in dir, which need not exist yet. It fails if other users can
// read them.
func Open(dir string, now func() time.Time) (*Store, error) {
	s := &Store{dir: dir, now: now}
	for _, path := range []string{s.path(), s.localPath()} {
		if err := private(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
	}
	if _, err := s.List(); err != nil && !errors.Is(err, ErrLost) {
		return s, err
	}
	return s, nil
}

func (s *Store) path() string      { return filepath.Join(s.dir, "tokens.json") }
func (s *Store) localPath() string { return filepath.Join(s.dir, "token") }

// List returns all valid tokens, oldest first. If the list was removed, the error is
// [ErrLost].
func (s *Store) List() ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.reload(); err != nil {
		return nil, err
	}
	now := s.now()
	expired := func(t Token) bool { return !t.ExpiresAt.IsZero() && !now.Before(t.ExpiresAt) }
	return slices.DeleteFunc(slices.Clone(s.list), expired), nil
}

// Check finds the token of a secret. How long it takes does not reveal how much of the
// secret was right.
func (s *Store) Check(secret string) (Token, bool) {
	list, err := s.List()
	if err != nil {
		return Token{}, false // an unreadable list allows nothing
	}
	hash := []byte(hashOf(secret))
	var found Token
	ok := false
	for _, t := range list {
		if subtle.ConstantTimeCompare(hash, []byte(t.Hash)) == 1 {
			found, ok = t, true
		}
	}
	return found, ok
}

// Valid reports whether a token is still valid.
func (s *Store) Valid(id string) bool {
	list, err := s.List()
	return err == nil && slices.ContainsFunc(list, func(t Token) bool { return t.ID == id })
}

// Create creates a token that is valid until it is revoked. This is the only time the
// secret is returned.
func (s *Store) Create(ctx context.Context, role Role, name string) (secret string, t Token, err error) {
	return s.Grant(ctx, Grant{Role: role, Name: name})
}

// Grant says what token to create.
type Grant struct {
	Role Role
	Name string
	Life time.Duration // 0: until it is revoked
	// Device marks the token of a paired device.
	Device   bool
	Projects []string // what it is limited to; nil: it is not
}

// Grant creates a token as Create does.
func (s *Store) Grant(ctx context.Context, g Grant) (secret string, t Token, err error) {
	if _, err := ParseRole(string(g.Role)); err != nil {
		return "", Token{}, err
	}
	secret = newSecret()
	t = Token{ID: newID(), Name: g.Name, Role: g.Role, Device: g.Device, Projects: g.Projects, CreatedAt: s.now().UTC().Truncate(time.Millisecond), Hash: hashOf(secret)}
	if g.Life > 0 {
		t.ExpiresAt = t.CreatedAt.Add(g.Life)
	}
	err = s.change(ctx, func(list []Token) ([]Token, error) { return append(list, t), nil })
	if err != nil {
		return "", Token{}, fmt.Errorf("create token: %w", err)
	}
	return secret, t, nil
}

// Revoke revokes a token by its id, or by a unique prefix of it.
func (s *Store) Revoke(ctx context.Context, id string) (t Token, err error) {
	err = s.change(ctx, func(list []Token) ([]Token, error) {
		at, err := find(list, id)
		if err != nil {
			return nil, err
		}
		t = list[at]
		return slices.Delete(list, at, at+1), nil
	})
	if err != nil {
		return Token{}, fmt.Errorf("revoke token: %w", err)
	}
	return t, nil
}

// Find finds a token by its id, or by a unique prefix of it.
func (s *Store) Find(id string) (Token, error) {
	list, err := s.List()
	if err != nil {
		return Token{}, err
	}
	at, err := find(list, id)
	if err != nil {
		return Token{}, err
	}
	return list[at], nil
}

func find(list []Token, id string) (int, error) {
	at := -1
	for i, t := range list {
		switch {
		case t.ID == id:
			return i, nil
		case id != "" && strings.HasPrefix(t.ID, id) && at >= 0:
			return 0, fmt.Errorf("%w: several begin with %q", ErrNoToken, id)
		case id != "" && strings.HasPrefix(t.ID, id):
			at = i
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("%w: %q", ErrNoToken, id)
	}
	return at, nil
}

// Local returns the secret with which programs of the same user reach a server. It
// creates the token the first time, and again after it was revoked.
func (s *Store) Local(ctx context.Context) (string, error) {
	if secret, ok := s.readLocal(); ok {
		return secret, nil
	}
	var secret string
	err := s.change(ctx, func(list []Token) ([]Token, error) {
		if kept, ok := among(list, s.localSecret()); ok {
			secret = kept // another process was first
			return list, nil
		}
		secret = newSecret()
		list = slices.DeleteFunc(list, func(t Token) bool { return t.ID == LocalID })
		list = append(list, Token{ID: LocalID, Name: "programs of this user", Role: Operate,
			CreatedAt: s.now().UTC().Truncate(time.Millisecond), Hash: hashOf(secret)})
		return list, replace(s.localPath(), []byte(secret+"\n"))
	})
	if err != nil {
		return "", fmt.Errorf("make the local token: %w", err)
	}
	return secret, nil
}

func (s *Store) readLocal() (string, bool) {
	list, err := s.List()
	if err != nil {
		return "", false
	}
	return among(list, s.localSecret())
}

// among reports whether the secret is that of the local token.
func among(list []Token, secret string) (string, bool) {
	return secret, secret != "" && slices.ContainsFunc(list, func(t Token) bool {
		return t.ID == LocalID && subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hashOf(secret))) == 1
	})
}

func newSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

func newID() string {
	var b [6]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
