package access

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sesskeep/internal/regular"
)

// Key returns the key by which devices recognise the server. The first call creates
// it.
func (s *Store) Key(ctx context.Context) (*ecdsa.PrivateKey, error) {
	key, err := s.readKey()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := regular.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	l, err := s.acquireLock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	if key, err := s.readKey(); !errors.Is(err, fs.ErrNotExist) {
		return key, err // another process was first
	}
	key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, replace(s.keyPath(), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
}

func (s *Store) keyPath() string { return filepath.Join(s.dir, "tls.key") }

func (s *Store) readKey() (*ecdsa.PrivateKey, error) {
	if err := private(s.keyPath()); err != nil {
		return nil, fmt.Errorf("open %s: %w", s.keyPath(), err)
	}
	data, err := regular.ReadFile(s.keyPath(), 1<<16)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("%s is damaged: delete it, and pair your devices again", s.keyPath())
	}
	return x509.ParseECPrivateKey(block.Bytes)
}
