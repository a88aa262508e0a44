package backup_test

import (
	"sesskeep/internal/backup"

	"filippo.io/age"
)

// newIdentity is a key for backups that costs no time to open.
func newIdentity() (backup.Key, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return backup.Key{}, err
	}
	return backup.Key{Identities: id.String(), Recipients: []string{id.Recipient().String()}}, nil
}
