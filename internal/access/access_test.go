package access_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/storetest"
)

func open(t *testing.T, dir string) *access.Store {
	t.Helper()
	s, err := access.Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRoles(t *testing.T) {
	for i, have := range access.Roles() {
		for j, need := range access.Roles() {
			if got := have.Allows(need); got != (i >= j) {
				t.Errorf("%s allows %s: %v", have, need, got)
			}
		}
		if have.Allows("") || access.Role("").Allows(have) || have.Allows("root") {
			t.Errorf("%s: no role allows or needs nothing", have)
		}
	}
	if _, err := access.ParseRole("admin"); !errors.Is(err, access.ErrRole) {
		t.Errorf("admin is %v", err)
	}
}

// What one process makes or revokes, another that has the directory open knows
// at once.
func TestTokens(t *testing.T) {
	ctx, dir := t.Context(), filepath.Join(t.TempDir(), "state")
	here, there := open(t, dir), open(t, dir)
	secret, made, err := here.Create(ctx, access.Manage, "phone")
	if err != nil {
		t.Fatal(err)
	}
	got, ok := there.Check(secret)
	if !ok || got.ID != made.ID || got.Role != access.Manage || got.Name != "phone" {
		t.Fatalf("the new token is %+v, %v", got, ok)
	}
	for _, wrong := range []string{"", " ", secret[:len(secret)-1], secret + "A", made.Hash, made.ID} {
		if _, ok := there.Check(wrong); ok {
			t.Errorf("%q is a token", wrong)
		}
	}
	if _, err := there.Revoke(ctx, made.ID[:4]); err != nil {
		t.Fatal(err)
	}
	if _, ok := here.Check(secret); ok || here.Valid(made.ID) {
		t.Error("a revoked token is good")
	}
	if _, err := here.Revoke(ctx, made.ID); !errors.Is(err, access.ErrNoToken) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestSecretIsNotKept(t *testing.T) {
	dir := t.TempDir()
	secret, _, err := open(t, dir).Create(t.Context(), access.Read, "")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLocal(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := open(t, dir)
	secret, err := s.Local(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := open(t, dir).Local(ctx); err != nil || again != secret {
		t.Errorf("the local token changed: %v", err)
	}
	if got, ok := s.Check(secret); !ok || got.Role != access.Operate {
		t.Errorf("the local token is %+v, %v", got, ok)
	}
	if _, err := s.Revoke(ctx, access.LocalID); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Check(secret); ok {
		t.Error("a revoked local token is good")
	}
	if next, err := s.Local(ctx); err != nil || next == secret {
		t.Errorf("after it was revoked there is no new one: %v", err)
	}
}

// Processes that start together agree on the local token, and no token that was
// given out is lost.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	const n = 8
	var group sync.WaitGroup
	secrets, local := make([]string, n), make([]string, n)
	for i := range n {
		s := open(t, dir)
		group.Go(func() {
			var err, err2 error
			local[i], err = s.Local(context.Background())
			secrets[i], _, err2 = s.Create(context.Background(), access.Read, "")
			if err := errors.Join(err, err2); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s := open(t, dir)
	for i := range n {
		if _, ok := s.Check(secrets[i]); !ok {
			t.Errorf("token %d is lost", i)
		}
		if local[i] != local[0] {
			t.Errorf("local token %d differs", i)
		}
	}
}

func TestCodes(t *testing.T) {
	now := time.Unix(1e9, 0)
	codes := access.Codes[int]{Life: time.Minute, Now: func() time.Time { return now }}
	code := codes.New(7)
	if len(code) < 22 {
		t.Errorf("%q has less than 128 bits", code)
	}
	if v, ok := codes.Use(code); !ok || v != 7 {
		t.Errorf("the code gives %d, %v", v, ok)
	}
	for range 1000 {
		if _, ok := codes.Use(code); ok {
			t.Fatal("a code was good twice")
		}
	}
	late := codes.New(8)
	now = now.Add(time.Minute)
	if _, ok := codes.Use(late); ok {
		t.Error("a code was good for longer than its life")
	}
	// Of too many the oldest go, also where all were made in one moment.
	var made []string
	for i := range 3000 {
		made = append(made, codes.New(i))
	}
	for i, code := range made {
		if v, ok := codes.Use(code); ok != (i >= 2000) || ok && v != i {
			t.Errorf("of 3000 codes, number %d gives %d, %v", i, v, ok)
		}
	}
}

func TestTries(t *testing.T) {
	now := time.Unix(1e9, 0)
	tries := access.Tries{Most: 10, Per: time.Minute, Now: func() time.Time { return now }}
	for i := range 10 {
		if _, tooMany := tries.Fail("a"); tooMany {
			t.Fatalf("attempt %d is too many", i)
		}
	}
	if wait, tooMany := tries.Fail("a"); !tooMany || wait != time.Minute {
		t.Errorf("the eleventh attempt: %v, wait %v", tooMany, wait)
	}
	if _, tooMany := tries.Fail("b"); tooMany {
		t.Error("another source pays for it")
	}
	now = now.Add(time.Minute)
	if _, tooMany := tries.Fail("a"); tooMany {
		t.Error("a minute later it is not forgotten")
	}
}

// A token that has expired is nobody's, and leaves the list.
func TestExpires(t *testing.T) {
	now := time.Unix(1e9, 0)
	s, err := access.Open(t.TempDir(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	secret, token, err := s.Grant(t.Context(), access.Grant{Role: access.Read, Life: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour - time.Second)
	if _, ok := s.Check(secret); !ok || !s.Valid(token.ID) {
		t.Error("it is not good before its time")
	}
	now = now.Add(time.Second)
	list, err := s.List()
	if _, ok := s.Check(secret); ok || s.Valid(token.ID) || len(list) != 0 || err != nil {
		t.Errorf("it is good after its time: %v, %v", list, err)
	}
}

// What several tokens begin with revokes none of them.
func TestRevokeAmbiguous(t *testing.T) {
	s := open(t, t.TempDir())
	first := map[byte]bool{}
	shared := ""
	for shared == "" { // one of 17 begins like another
		_, token, err := s.Create(t.Context(), access.Read, "")
		if err != nil {
			t.Fatal(err)
		}
		if first[token.ID[0]] {
			shared = token.ID[:1]
		}
		first[token.ID[0]] = true
	}
	before, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{shared, ""} {
		if token, err := s.Revoke(t.Context(), id); !errors.Is(err, access.ErrNoToken) {
			t.Errorf("%q revokes %s: %v", id, token.ID, err)
		}
	}
	if after, err := s.List(); err != nil || len(after) != len(before) {
		t.Errorf("%d tokens of %d are left, %v", len(after), len(before), err)
	}
}

// A list of tokens that was removed is told from one that was never made, and another
// token makes a new one.
func TestLostList(t *testing.T) {
	dir := t.TempDir()
	s, err := access.Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(); err != nil || len(list) > 0 {
		t.Fatalf("before any was made: %v, %v", list, err)
	}
	if _, _, err := s.Create(t.Context(), access.Read, "one"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "tokens.json")); err != nil {
		t.Fatal(err)
	}
	if s, err = access.Open(dir, time.Now); err != nil {
		t.Fatalf("a server would not start: %v", err)
	}
	if _, err := s.List(); !errors.Is(err, access.ErrLost) {
		t.Errorf("the list is gone, and it says %v", err)
	}
	if _, _, err := s.Create(t.Context(), access.Read, "two"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(); err != nil || len(list) != 1 || list[0].Name != "two" {
		t.Errorf("after another was made: %v, %v", list, err)
	}
}

// The last use of a token is noted for every process, once a minute, and leaves with the token.
func TestNoteUse(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	s, err := access.Open(dir, func() time.Time { return now })
	storetest.Must(t, err)
	_, one, err := s.Create(t.Context(), access.Read, "one")
	storetest.Must(t, err)
	_, two, err := s.Create(t.Context(), access.Read, "two")
	storetest.Must(t, err)
	first := now
	s.NoteUse(one.ID)
	now = now.Add(59 * time.Second)
	s.NoteUse(one.ID)
	if got := open(t, dir).Uses(); len(got) != 1 || !got[one.ID].Equal(first) {
		t.Errorf("within a minute: %v", got)
	}
	now = now.Add(time.Second)
	s.NoteUse(one.ID)
	if got := open(t, dir).Uses(); !got[one.ID].Equal(now) {
		t.Errorf("after a minute: %v", got)
	}
	_, err = s.Revoke(t.Context(), one.ID)
	storetest.Must(t, err)
	s.NoteUse(two.ID)
	if got := open(t, dir).Uses(); len(got) != 1 || got[two.ID].IsZero() {
		t.Errorf("after one was revoked: %v", got)
	}
	storetest.Must(t, os.WriteFile(filepath.Join(dir, "tokens.used"), []byte("{"), 0o600))
	if got := s.Uses(); len(got) != 0 {
		t.Errorf("damaged: %v", got)
	}
}
