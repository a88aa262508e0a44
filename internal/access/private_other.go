//go:build !unix

package access

import "os"

// private returns an error unless the file exists: here the user's directory, not a
// mode, restricts who can read it.
func private(path string) error {
	_, err := os.Lstat(path)
	return err
}
