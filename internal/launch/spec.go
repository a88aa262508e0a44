package launch

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sesskeep"
)

// Mode is how the client asks for permission.
type Mode string

// The modes. A run always gets its mode as an argument, so settings that allow
// everything do not apply to it.
const (
	AskFirst   Mode = "default"           // ask for everything that no rule allows
	AcceptEdit Mode = "acceptEdits"       // change files in the directory without asking
	Plan       Mode = "plan"              // change nothing
	Auto       Mode = "auto"              // let the client judge
	NeverAsk   Mode = "dontAsk"           // deny what no rule allows
	Bypass     Mode = "bypassPermissions" // ask for nothing
)

// Modes returns all modes.
func Modes() []Mode { return []Mode{AskFirst, AcceptEdit, Plan, Auto, NeverAsk, Bypass} }

// ParseMode parses the name of a mode. "ask" and "" are AskFirst.
func ParseMode(text string) (Mode, error) {
	if text == "" || text == "ask" {
		return AskFirst, nil
	}
	if m := Mode(text); slices.Contains(Modes(), m) {
		return m, nil
	}
	names := []string{"ask"}
	for _, m := range Modes()[1:] {
		names = append(names, string(m))
	}
	return "", fmt.Errorf("there is no permission mode %q; the modes are %s", text, strings.Join(names, ", "))
}

// Spec says what to run.
type Spec struct {
	Dir     string `json:"dir"`               // working directory, absolute
	Session string `json:"session"`           // UUID of the session; we choose that of a new one
	Resume  string `json:"resume,omitempty"`  // UUID of a session to resume
	Fork    bool   `json:"fork,omitempty"`    // resume a copy, whose id is Session
	Model   string `json:"model,omitempty"`   // empty: as in the user's settings
	Mode    Mode   `json:"mode"`              //
	Budget  Dollar `json:"budget,omitempty"`  // 0: no limit
	Allowed bool   `json:"allowed,omitempty"` // the user allowed Bypass
	// Worktree is the name of a git worktree that the client creates and works in.
	Worktree string `json:"worktree,omitempty"`
}

// Dollar is an amount of money in US dollars.
type Dollar float64

// modelShape matches names of models; none starts with a dash.
var modelShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,127}$`)
})

// worktreeShape matches names of worktrees.
var worktreeShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// ErrBypass means that Bypass was requested without permission of the user.
var ErrBypass = errors.New("permissions can be bypassed only where that was allowed at the start")

// Check returns an error if s must not be run.
func (s *Spec) Check() error {
	switch {
	case !filepath.IsAbs(s.Dir) || strings.ContainsRune(s.Dir, 0):
		return fmt.Errorf("directory %q: not an absolute path", s.Dir)
	case !sesskeep.IsUUID(s.Session):
		return fmt.Errorf("session %q: not a UUID", s.Session)
	case s.Resume != "" && !sesskeep.IsUUID(s.Resume):
		return fmt.Errorf("session %q: not a UUID", s.Resume)
	case s.Resume == "" && s.Fork:
		return errors.New("nothing to fork: no session was named")
	case s.Resume != "" && !s.Fork && s.Resume != s.Session:
		return errors.New("a resumed session keeps its id")
	case s.Budget < 0 || s.Budget != s.Budget || s.Budget > 1e6:
		return fmt.Errorf("budget %v: not an amount of dollars", float64(s.Budget))
	}
	if s.Worktree != "" && !worktreeShape().MatchString(s.Worktree) {
		return fmt.Errorf("%q cannot be the name of a worktree: use letters, digits, dots and dashes", s.Worktree)
	}
	if err := CheckModel(s.Model); s.Model != "" && err != nil {
		return err
	}
	if !slices.Contains(Modes(), s.Mode) {
		return fmt.Errorf("there is no permission mode %q", s.Mode)
	}
	if s.Mode == Bypass && !s.Allowed {
		return ErrBypass
	}
	return nil
}

// CheckModel returns an error if name cannot be the name of a model.
func CheckModel(name string) error {
	if !modelShape().MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a model", name)
	}
	return nil
}

// Argv returns the arguments of the client, without its name, or the error of
// Check.
func (s *Spec) Argv() ([]string, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return append([]string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio",
	}, s.PlainArgv()...), nil
}

// PlainArgv returns the arguments without those of our protocol.
func (s *Spec) PlainArgv() []string {
	argv := []string{"--permission-mode", string(s.Mode)}
	if s.Resume != "" {
		argv = append(argv, "--resume", s.Resume)
	}
	if s.Fork {
		argv = append(argv, "--fork-session")
	}
	if s.Resume == "" || s.Fork {
		argv = append(argv, "--session-id", s.Session)
	}
	if s.Model != "" {
		argv = append(argv, "--model", s.Model)
	}
	if s.Worktree != "" {
		argv = append(argv, "--worktree", s.Worktree)
	}
	if s.Budget > 0 && s.Resume == "" { // for a resumed session it would include what was spent before
		argv = append(argv, "--max-budget-usd", strconv.FormatFloat(float64(s.Budget), 'f', -1, 64))
	}
	return argv
}
