// Package share keeps pages that a server shows to anyone with the link: each frozen in a
// file, redacted when it was written, for a limited time.
//
// [Store.Create] freezes a page and returns the secret of its link, which is 256 random bits.
// Only the hash of the secret is stored, so that nothing in the store lets anybody in.
// [Store.Open] finds the page of a secret; an unknown one, an expired one and one whose files
// are damaged are all [ErrNoLink] to a stranger, and the log says which it was. Several
// processes may use one directory: a link that another process revoked is gone at once.
package share

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep/internal/redact"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
	"sesskeep/internal/stamp"
)

// Prefix starts every secret, so that logs can recognize and leave it out.
const Prefix = "link-"

// MaxLife is the longest time for which a link can be valid.
const MaxLife = 90 * 24 * time.Hour

// ErrNoLink means that a link does not exist, has expired or is damaged.
var ErrNoLink = errors.New("no such link")

// Store keeps links in a directory.
type Store struct {
	Dir string
	Now func() time.Time
}

// Link is a link to a page as lists show it.
type Link struct {
	ID        string         `json:"id"`                 // id of the link
	Session   string         `json:"session"`            // id of the session or agent that the page shows
	Title     string         `json:"title,omitempty"`    // title of the page
	CreatedAt stamp.Time     `json:"createdAt,omitzero"` // when the link was created
	ExpiresAt stamp.Time     `json:"expiresAt,omitzero"` // when the link expires
	Expired   bool           `json:"expired,omitempty"`  // true if the link has expired
	Size      int64          `json:"fileSize"`           // size of the page in bytes
	Secrets   []redact.Count `json:"secrets"`            // what marks stand for in the page
	Problem   string         `json:"problem,omitempty"`  // why the page cannot be shown
}

// Page is what a link leads to.
type Page struct {
	Session string    // id of the session or agent
	Main    string    // id of the session that an agent belongs to; of a session its own
	Policy  string    // Content-Security-Policy that the page needs
	Until   time.Time // when the link expires
	// Write writes the page, and says in the link what only the page knows: its title and
	// what marks stand for.
	Write func(context.Context, io.Writer, *Link) error
}

// record is the file of a link.
type record struct {
	Version int    `json:"version"`
	Hash    string `json:"hash"`           // hash of the secret; it begins with the id, which names the files
	Main    string `json:"main,omitempty"` // id of the session that the page is of, also that of an agent
	Policy  string `json:"policy"`
	Sum     string `json:"sum256"` // SHA-256 of the page
	Link
}

// expired reports whether a link is no longer valid.
func (r *record) expired(now time.Time) bool { return !now.Before(r.ExpiresAt.Time) }

// version is the version of the format of the files.
const version = 1

// Create freezes a page and stores a link to it. This is the only time the secret is returned.
func (s *Store) Create(ctx context.Context, p Page) (secret string, made Link, err error) {
	now := s.Now().UTC().Truncate(time.Millisecond)
	if life := p.Until.Sub(now); life <= 0 || life > MaxLife {
		return "", made, fmt.Errorf("a link is valid for at most %d days, and always for a time", MaxLife/(24*time.Hour))
	}
	if err := regular.MkdirAll(s.Dir, 0o700); err != nil {
		return "", made, err
	}
	if err := s.removeExpired(now); err != nil {
		return "", made, err
	}
	secret = newSecret()
	r := record{Version: version, Hash: hashOf(secret), Main: p.Main, Policy: p.Policy}
	r.Link = Link{ID: r.Hash[:idLength], Session: p.Session, CreatedAt: stamp.Time{Time: now}, ExpiresAt: stamp.Time{Time: p.Until.UTC().Truncate(time.Millisecond)}}
	if err := s.freeze(ctx, &r, p); err != nil {
		return "", made, errors.Join(err, s.remove(r.ID))
	}
	return secret, r.Link, nil
}

// freeze writes the page and then its record, which makes the link valid.
func (s *Store) freeze(ctx context.Context, r *record, p Page) error {
	part := s.page(r.ID) + partly
	f, err := regular.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum, size := sha256.New(), &bounded{}
	err = p.Write(ctx, io.MultiWriter(size, f, sum), &r.Link)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, s.page(r.ID)); err != nil {
		return err
	}
	r.Size, r.Sum = size.n, hex.EncodeToString(sum.Sum(nil))
	return s.file(r.ID).Save(r)
}

// partly is the suffix of a page that is being written.
const partly = ".part"

// maxPage is the size of the largest page.
const maxPage = 256 << 20

// ErrTooLarge means that a page is too large for a link.
var ErrTooLarge = fmt.Errorf("the page is larger than %d MB", maxPage>>20)

// bounded fails a write beyond maxPage bytes.
type bounded struct{ n int64 }

func (b *bounded) Write(p []byte) (int, error) {
	if b.n += int64(len(p)); b.n > maxPage {
		return 0, ErrTooLarge
	}
	return len(p), nil
}

// Open finds the page of a secret with the policy that it needs, and checks that the page is as
// it was written. Every error wraps [ErrNoLink] and says why.
func (s *Store) Open(secret string) (page *os.File, size int64, policy string, err error) {
	fail := func(why error) (*os.File, int64, string, error) {
		return nil, 0, "", fmt.Errorf("%w: %w", ErrNoLink, why)
	}
	hash := hashOf(secret)
	r, err := s.read(hash[:idLength])
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, "", ErrNoLink
	case err != nil:
		return fail(err)
	case subtle.ConstantTimeCompare([]byte(hash), []byte(r.Hash)) != 1:
		return nil, 0, "", ErrNoLink
	case r.expired(s.Now()):
		return fail(errors.New("it has expired"))
	}
	f, err := regular.Open(s.page(r.ID))
	if err != nil {
		return fail(err)
	}
	if err := r.check(f); err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	return f, r.Size, r.Policy, nil
}

// check compares a page with the sum in its record, and seeks back to its start.
func (r *record) check(f *os.File) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != r.Sum {
		return fmt.Errorf("%s: %w", f.Name(), sealed.ErrDamaged)
	}
	_, err := f.Seek(0, io.SeekStart)
	return err
}

func (s *Store) page(id string) string { return filepath.Join(s.Dir, id+".html") }

func (s *Store) file(id string) sealed.File {
	return sealed.File{Path: filepath.Join(s.Dir, id+".json"), Version: version}
}

// read reads a link by its id.
func (s *Store) read(id string) (record, error) {
	r, state, err := sealed.Load[record](s.file(id))
	if err != nil {
		return record{}, err
	}
	if !state.Whole || r.ID != id { // the seal is missing, or the file is a copy of another record
		return record{}, fmt.Errorf("%s: %w", s.file(id).Path, sealed.ErrDamaged)
	}
	return r, nil
}

// idLength is how many characters of the hash make the id.
const idLength = 16

func newSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return Prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Without returns a path of a request with the secret of its link left out.
func Without(path string) string {
	if i := strings.Index(strings.ToLower(path), Prefix); i >= 0 {
		return path[:i+len(Prefix)] + "…"
	}
	return path
}
