package sesskeep

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// MachineID names a machine. The caller draws it once and keeps it.
type MachineID string

// HomeID names a home of Claude Code among those of a machine. It stays when the
// home is moved.
type HomeID string

// Key names one session, or one agent of a session, among all homes of all
// machines. Two transcripts with equal keys are copies of one session.
//
// Its text form is SESSION[/AGENT][@HOME[.MACHINE]]. Home and Machine are empty
// where a program reads one home only; a Machine without a Home has no text. The
// zero Key names nothing; its text is empty.
type Key struct {
	Machine MachineID
	Home    HomeID
	Session SessionID
	Agent   AgentID // empty for the session itself; inline-N for one in its file
}

// errKey says what a key looks like.
var errKey = errors.New("write SESSION[/AGENT][@HOME[.MACHINE]]")

var (
	keyAgent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`) })
	keyName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`) })
)

// ParseKey reads the text form of a Key.
func ParseKey(text string) (Key, error) {
	where, owner, placed := strings.Cut(text, "@")
	home, machine, far := strings.Cut(owner, ".")
	session, agent, isAgent := strings.Cut(where, "/")
	k := Key{MachineID(machine), HomeID(home), SessionID(session), AgentID(agent)}
	switch {
	case !IsUUID(session),
		isAgent && !keyAgent().MatchString(agent),
		placed && !ValidName(home),
		far && !ValidName(machine):
		return Key{}, &Error{Op: "parse key", Name: text, Err: errKey}
	}
	return k, nil
}

// ValidName reports whether name can stand for a home or a machine in a Key: at
// most 32 lower-case letters, digits, "-" and "_", beginning with a letter or a
// digit.
func ValidName(name string) bool { return keyName().MatchString(name) }

// String returns the text form.
func (k Key) String() string {
	text := string(k.Session)
	if k.Agent != "" {
		text += "/" + string(k.Agent)
	}
	if k.Home != "" {
		text += "@" + string(k.Home)
	}
	if k.Home != "" && k.Machine != "" {
		text += "." + string(k.Machine)
	}
	return text
}

// MarshalText returns the text form.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the text form. Empty text is the zero Key.
func (k *Key) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*k = Key{}
		return nil
	}
	parsed, err := ParseKey(string(text))
	if err == nil {
		*k = parsed
	}
	return err
}

// In returns the key of the same session or agent in the home of other.
func (k Key) In(other Key) Key {
	k.Machine, k.Home = other.Machine, other.Home
	return k
}

// Identify gives the home the ids that its keys will carry. A program that reads
// one home needs none. It must be called before the Store is shared.
func (s *Store) Identify(machine MachineID, home HomeID) {
	s.ids = Key{Machine: machine, Home: home}
}

// Key returns the key of a transcript. The second result is false for a flat
// agent file whose session is not known yet: no line of it names one so far.
// [Store.Parent] reads which it is.
func (s *Store) Key(ref Ref) (Key, bool) {
	if ref.Session == "" {
		return Key{}, false
	}
	return Key{Session: ref.Session, Agent: ref.Agent}.In(s.ids), true
}

// SessionKey returns the key of a session of this home, whether or not it has a
// transcript yet.
func (s *Store) SessionKey(id SessionID) Key { return Key{Session: id}.In(s.ids) }

// inlinePrefix begins the ids of agents that clients before 2.0 wrote into the
// session's own file.
const inlinePrefix = "inline-"

// InlineAgent is the id of the n-th agent inside a session's own file, counted
// from 1.
func InlineAgent(n int) AgentID { return AgentID(inlinePrefix + strconv.Itoa(n)) }

// Inline returns which agent inside the session's own file the id names, counted
// from 1, or 0 for an agent with a file.
func (id AgentID) Inline() int {
	number, ok := strings.CutPrefix(string(id), inlinePrefix)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || InlineAgent(n) != id {
		return 0
	}
	return n
}
