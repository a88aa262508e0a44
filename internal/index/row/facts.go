package row

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/stamp"
)

// Facts are what one file says about itself, kept until it changes.
type Facts struct {
	Ref          sesskeep.Ref         `json:"-"` // see RefParts
	Row          ask.Row              `json:"row"`
	Standing     sesskeep.Standing    `json:"standing,omitzero"`
	Cwds         []string             `json:"cwds,omitempty"`
	Summaries    []sesskeep.LeafTitle `json:"summaries,omitempty"`
	Titled       bool                 `json:"titled,omitempty"` // by the user or the client: no summary may replace it
	Aside        []int                `json:"aside,omitempty"`  // lines of other conversations, see asideLines
	Conversation *KeptConversation    `json:"talk,omitempty"`   // its conversation, if it has only one

	// As they are kept, facts say nothing twice: half of them would be repetitions,
	// and two thirds of the rows of a small home. RefParts has the parts of the Ref that the
	// name of the file lacks, and Same says which values are left out because
	// another has them too: a bit each, in the order of repeats.
	RefParts refParts `json:"place"`
	Same     uint64   `json:"same"`
}

// KeptConversation is a Conversation as facts keep it.
type KeptConversation struct {
	SessionID    string                    `json:"sessionId,omitempty"`
	Leaf         string                    `json:"leaf,omitempty"`
	Name         string                    `json:"name,omitempty"`
	PromptCount  int                       `json:"promptCount,omitempty"`
	MessageCount int                       `json:"messageCount,omitempty"`
	ForkPoint    string                    `json:"forkPoint,omitempty"`
	Kind         sesskeep.ConversationKind `json:"kind,omitempty"`
	Active       bool                      `json:"active,omitempty"`
	LastActivity stamp.Time                `json:"lastActivityAt,omitzero"`
}

// Ties are what the rows of other files depend on: as long as they stay, a file
// that grew changes no row but its own.
func (f *Facts) Ties(first uint64) int64 {
	return int64(db.Hash(db.JSON([]any{
		f.Row.ID, f.Row.IsAgent, f.Row.ParentSessionID, f.Row.ForkedFrom, f.Cwds, f.Summaries, first,
	})))
}

// Text is how facts are kept.
func (f *Facts) Text() string {
	kept := *f
	if f.Conversation != nil {
		kept.Conversation = new(KeptConversation)
		*kept.Conversation = *f.Conversation
	}
	s := same{leave: true}
	kept.repeats(f, &s)
	kept.Same, kept.RefParts = s.bits, refPartsOf(f.Ref)
	type rest Facts
	return db.JSON(struct {
		Row any `json:"row"`
		rest
	}{keptRow(&kept.Row), rest(kept)})
}

// ReadFacts reads what text wrote of the file of that name.
func ReadFacts(name string, body []byte) (f Facts, err error) {
	if err := json.Unmarshal(body, &f); err != nil {
		return f, err
	}
	return f, f.complete(name)
}

// complete puts back what is said elsewhere.
func (f *Facts) complete(name string) (err error) {
	if f.Ref, err = f.RefParts.ref(name); err != nil {
		return err
	}
	f.repeats(f, &same{bits: f.Same})
	f.Row.Ref, f.Row.Standing = f.Ref, f.Standing
	return nil
}

// repeats goes over the values of f that mostly are those of others, which whole
// has. What is put back comes before what it is needed for.
func (f *Facts) repeats(whole *Facts, s *same) {
	r, all, ref := &f.Row, &whole.Row, &whole.Ref
	model := ""
	if n := len(all.Models); n > 0 {
		model = all.Models[n-1]
	}
	repeated(s, &r.ID, ref.ID())
	repeated(s, &r.DirName, string(ref.Dir))
	repeated(s, &r.IsAgent, ref.Agent != "")
	repeated(s, &r.AgentID, string(ref.Agent))
	repeated(s, &r.ParentSessionID, string(ref.Session))
	repeated(s, &r.FileSize, ref.Size)
	repeated(s, &r.Origin, ask.OriginSource)
	repeated(s, &r.Title, all.LastUserMessage)
	repeated(s, &r.Model, model)
	repeated(s, &f.Standing.Version, all.ClientVersion)
	repeated(s, &f.Standing.Prompts, all.PromptCount)
	s.time(&f.Standing.Time, all.LastActivityAt.Time)
	if t := f.Conversation; t != nil {
		repeated(s, &t.SessionID, all.ID)
		repeated(s, &t.Name, all.Title)
		repeated(s, &t.PromptCount, all.PromptCount)
		repeated(s, &t.MessageCount, all.MessageCount)
		repeated(s, &t.Kind, sesskeep.ConversationMain)
		repeated(s, &t.Active, true)
		s.time(&t.LastActivity.Time, all.LastActivityAt.Time)
	}
}

// same leaves out values that are repetitions, or puts them back.
type same struct {
	leave bool
	bits  uint64
	next  int // bit
}

// bit is that of the next value: it is set, or was.
func (s *same) bit(equal bool) (is bool) {
	bit := uint64(1) << s.next
	s.next++
	if s.leave && equal {
		s.bits |= bit
	}
	return s.bits&bit != 0
}

// repeated is for a value that may be the same as another.
func repeated[T comparable](s *same, value *T, other T) {
	var none T
	if !s.bit(*value == other) {
		return
	}
	if *value = other; s.leave {
		*value = none
	}
}

// time is repeated for times: the other one is written in milliseconds.
func (s *same) time(value *time.Time, other time.Time) {
	other = other.Truncate(time.Millisecond)
	if !s.bit(value.Equal(other)) {
		return
	}
	if *value = other; s.leave {
		*value = time.Time{}
	}
}

// refParts has the parts of a Ref that the name of the transcript lacks: the session of
// an agent that lies flat, and what the file system says of the file and of its
// meta file, in numbers.
type refParts string

func refPartsOf(ref sesskeep.Ref) refParts {
	session := ref.Session
	if named, _ := sesskeep.ParseRef(ref.File); named.Session == session {
		session = ""
	}
	b := []byte(session)
	for _, m := range []homefs.Mark{ref.Stat, ref.Meta} {
		for _, n := range []int64{int64(m.Device), int64(m.Inode), m.Size, m.Modtime, m.Changed} {
			b = strconv.AppendInt(append(b, ' '), n, 36)
		}
		if ref.Meta == (homefs.Mark{}) {
			break
		}
	}
	return refParts(b)
}

// ref is the Ref of the file of that name.
func (p refParts) ref(name string) (sesskeep.Ref, error) {
	ref, _ := sesskeep.ParseRef(name)
	session, numbers, _ := strings.Cut(string(p), " ")
	if session != "" {
		ref.Session = sesskeep.SessionID(session)
	}
	for _, m := range []*homefs.Mark{&ref.Stat, &ref.Meta} {
		var values [5]int64
		for i := range values {
			var number string
			var err error
			number, numbers, _ = strings.Cut(numbers, " ")
			if values[i], err = strconv.ParseInt(number, 36, 64); err != nil {
				return ref, db.ErrDamaged
			}
		}
		*m = homefs.Mark{Device: uint64(values[0]), Inode: uint64(values[1]), Size: values[2], Modtime: values[3], Changed: values[4]}
		if numbers == "" {
			break
		}
	}
	ref.Size, ref.Modtime = ref.Stat.Size, time.Unix(0, ref.Stat.Modtime).UTC()
	return ref, nil
}
