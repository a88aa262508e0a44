package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// Key opens a repository: a passphrase, or identities of age. A new repository is encrypted
// with the passphrase or for the recipients; without either it is not encrypted.
type Key struct {
	Passphrase string
	Identities string // as age reads them from a file
	Recipients []string
}

// encrypts reports whether a new repository is encrypted.
func (k *Key) encrypts() bool { return k.Passphrase != "" || len(k.Recipients) > 0 }

// crypt encrypts what is stored; nil: it is stored as it is.
type crypt struct{ identity *age.X25519Identity }

// newCrypt draws a key for a repository, and returns it together with its encrypted form.
func newCrypt(k Key) (*crypt, []byte, error) {
	recipients, err := k.recipients()
	if err != nil {
		return nil, nil, err
	}
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, nil, err
	}
	sealed, err := encrypt([]byte(identity.String()+"\n"), recipients...)
	return &crypt{identity}, sealed, err
}

func (k *Key) recipients() ([]age.Recipient, error) {
	if k.Passphrase != "" {
		if len(k.Recipients) > 0 {
			return nil, errors.New("a backup is for a passphrase or for recipients, not both")
		}
		r, err := age.NewScryptRecipient(k.Passphrase)
		return []age.Recipient{r}, err
	}
	return age.ParseRecipients(strings.NewReader(strings.Join(k.Recipients, "\n")))
}

// openCrypt decrypts the key of a repository.
func openCrypt(k Key, sealed []byte) (*crypt, error) {
	var identities []age.Identity
	var err error
	switch {
	case k.Passphrase != "":
		var id *age.ScryptIdentity
		if id, err = age.NewScryptIdentity(k.Passphrase); err == nil {
			identities = append(identities, id)
		}
	case k.Identities != "":
		identities, err = age.ParseIdentities(strings.NewReader(k.Identities))
	default:
		return nil, fmt.Errorf("%w without its passphrase or an identity", ErrKey)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	text, err := decrypt(sealed, identities...)
	var other *age.NoIdentityMatchError
	switch {
	case errors.As(err, &other) && k.Passphrase != "":
		return nil, fmt.Errorf("%w: the passphrase is wrong, or it was made for an identity", ErrKey)
	case errors.As(err, &other):
		return nil, fmt.Errorf("%w: it was made for another identity, or for a passphrase", ErrKey)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, keyName, err)
	}
	identity, err := age.ParseX25519Identity(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrDamaged, keyName)
	}
	return &crypt{identity}, nil
}

// seal returns data in the form in which it is stored.
func (c *crypt) seal(data []byte) ([]byte, error) {
	if c == nil {
		return data, nil
	}
	return encrypt(data, c.identity.Recipient())
}

// reader reads sealed data, from any offset.
func (c *crypt) reader(stored io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	if c == nil {
		return stored, size, nil
	}
	r, n, err := age.DecryptReaderAt(stored, size, c.identity)
	if err != nil {
		return c.beginning(stored, size, err)
	}
	return r, n, nil
}

// beginning reads the intact beginning of a file whose end is damaged.
func (c *crypt) beginning(stored io.ReaderAt, size int64, damage error) (io.ReaderAt, int64, error) {
	r, err := age.Decrypt(io.NewSectionReader(stored, 0, size), c.identity)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, damage)
	}
	data, _ := io.ReadAll(r) // it ends where the damage begins
	return bytes.NewReader(data), int64(len(data)), nil
}

func encrypt(data []byte, to ...age.Recipient) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, len(data)+len(data)>>11+512))
	w, err := age.Encrypt(out, to...)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func decrypt(data []byte, by ...age.Identity) ([]byte, error) {
	r, err := age.Decrypt(bytes.NewReader(data), by...)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
