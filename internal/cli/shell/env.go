package shell

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/host"
)

// Env is the world a command runs in.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Lookup func(string) (string, bool) // of environment variables
	Dir    string                      // working directory, links resolved
	DirErr error                       // why it is not known
	Home   string                      // of the user
	Host   string                      // what this machine calls itself
	Now    func() time.Time
	// Patience is how long a command that somebody looks at waits for the index before
	// it shows what there is; 0: until it is read.
	Patience time.Duration
	// Program is the path under which this program will be found again.
	Program func() (string, error)
	// Exit ends the process when a command does not end after a signal; nil: it
	// is waited for.
	Exit func(code int)
	// Memory sets how much memory the command that runs may take; nil: any.
	Memory func(bytes int64)
}

// System is the world as the operating system gives it.
func System() Env {
	env := Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Lookup: os.LookupEnv, Now: time.Now, Patience: 300 * time.Millisecond,
		Program: host.Program, Memory: limitMemory, Exit: os.Exit,
	}
	env.Home, _ = os.UserHomeDir() // where there is none, flags name the homes
	env.Host, _ = os.Hostname()
	env.Dir, env.DirErr = workingDir()
	return env
}

// Getenv is the value of an environment variable, or "".
func (e Env) Getenv(name string) string {
	value, _ := e.Lookup(name)
	return value
}

// workingDir is where we are; one that is gone is no directory, and no error.
func workingDir() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		// The client keeps a session under the real path of its directory.
		var real string
		if real, err = filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return dir, err
}
