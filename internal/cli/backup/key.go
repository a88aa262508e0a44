package backup

import (
	"errors"
	"os"
	"strings"

	"sesskeep/internal/backup"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/regular"
	"sesskeep/internal/travel"

	"github.com/spf13/cobra"
)

// keyOptions say what opens a backup.
type keyOptions struct {
	passphraseFile string
	identity       string
	encrypt        bool     // ask for a passphrase
	recipients     []string // who can decrypt a new backup
}

func (k *keyOptions) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&k.passphraseFile, "passphrase-file", "", "`FILE` whose first line is the passphrase")
	cmd.Flags().StringVar(&k.identity, "identity", "", "`FILE` with an age identity that opens the backup")
}

func (k *keyOptions) registerNew(cmd *cobra.Command) {
	k.register(cmd)
	cmd.Flags().BoolVar(&k.encrypt, "encrypt", false, "ask for a passphrase and encrypt a new backup with it")
	cmd.Flags().StringArrayVar(&k.recipients, "recipient", nil, "encrypt a new backup for `RECIPIENT`, an age public key; repeatable")
}

// maxKeyFile is the size of the largest file with a passphrase or identities.
const maxKeyFile = 1 << 20

// where returns the repository at a path, with its key. It asks for the passphrase of an
// encrypted one if no option has a key.
func (k *keyOptions) where(sh *shell.Shell, path string) (travel.Where, error) {
	w := travel.Where{Path: sh.Absolute([]string{path})[0]}
	w.Key.Recipients = k.recipients
	if k.passphraseFile != "" {
		data, err := regular.ReadFile(sh.Absolute([]string{k.passphraseFile})[0], maxKeyFile)
		if err != nil {
			return w, err
		}
		line, _, _ := strings.Cut(string(data), "\n")
		if w.Key.Passphrase = strings.TrimRight(line, "\r"); w.Key.Passphrase == "" {
			return w, fail.Usage("the first line of "+k.passphraseFile+" is empty", "write the passphrase there")
		}
	}
	if k.identity != "" {
		data, err := regular.ReadFile(sh.Absolute([]string{k.identity})[0], maxKeyFile)
		if err != nil {
			return w, err
		}
		w.Key.Identities = string(data)
	}
	return w, k.ask(sh, &w)
}

// ask asks for the passphrase of a backup that is encrypted, twice for a new one.
func (k *keyOptions) ask(sh *shell.Shell, w *travel.Where) error {
	if w.Key.Passphrase != "" || w.Key.Identities != "" {
		return nil
	}
	there := backup.Encrypted(w.Path)
	if !there && (!k.encrypt || backup.Exists(w.Path)) {
		return nil
	}
	typed, err := shell.Secret(sh, "Passphrase: ")
	if err != nil {
		return err
	}
	if !there {
		again, err := shell.Secret(sh, "Once more: ")
		if err != nil {
			return err
		}
		if typed == "" || typed != again {
			return fail.Usage("these are two different passphrases", "type the same one twice")
		}
	}
	w.Key.Passphrase = typed
	return nil
}

// explain adds to an error what the user can do about it.
func explain(sh *shell.Shell, err error, path string) error {
	var failed *backup.WriteError
	switch {
	case errors.Is(err, backup.ErrKey):
		return fail.Hint(err, "name what opens it with --passphrase-file or --identity")
	case errors.Is(err, backup.ErrNone):
		return fail.Hint(err, "name the directory or file of a backup; "+sh.Command("backup DIR")+" makes one")
	case errors.Is(err, backup.ErrTaken):
		return fail.Hint(err, "name an empty directory, or one that does not exist")
	case errors.As(err, &failed):
		return fail.Hint(err, "the backups from before are whole; make room and run it again: what was written is used")
	case errors.Is(err, backup.ErrDamaged):
		return fail.Hint(err, "see what is left: "+sh.Command("backup verify %s", path))
	case errcode.Of(err) == errcode.NotFound:
		return fail.Hint(err, "name the first characters of an id, or the full path of a project")
	case errors.Is(err, os.ErrExist):
		return fail.Hint(err, "name another file, or a directory, which takes many backups")
	}
	return err
}
