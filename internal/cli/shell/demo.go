package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sesskeep/internal/demo"
	"sesskeep/internal/host"
)

// demoFlag is --demo, which may say =fresh.
type demoFlag struct{ On, fresh bool }

func (f *demoFlag) String() string {
	if f.fresh {
		return "fresh"
	}
	return fmt.Sprint(f.On)
}

func (f *demoFlag) Set(text string) error {
	switch text {
	case "true", "false":
		*f = demoFlag{On: text == "true"}
	case "fresh":
		*f = demoFlag{On: true, fresh: true}
	default:
		return errors.New("use --demo or --demo=fresh")
	}
	return nil
}

func (f *demoFlag) Type() string { return "bool" } // for the help: it needs no value

// demoDir is where the sample home lies, with directories of ours that belong to
// it: whatever is tried there touches nothing of the user's own.
func demoDir(d host.Dirs) string {
	if cache := d.Cache(); cache != "" {
		return filepath.Join(cache, "demo")
	}
	return filepath.Join(os.TempDir(), "sesskeep-demo")
}

// DemoHome makes the sample home ready and returns its path. It is in use until the command
// ends.
func DemoHome(sh *Shell) (string, error) {
	if sh.sample != nil {
		return sh.sample.Home(), nil
	}
	s, err := demo.Open(sh.Dirs().Below, demo.Options{Now: sh.Now(), Fresh: sh.Flags.Demo.fresh})
	if err != nil {
		return "", err
	}
	sh.sample = s
	sh.AtEnd(s.Close)
	return s.Home(), nil
}
