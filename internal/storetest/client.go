package storetest

import "strconv"

// era is a group of client versions that write alike.
type era int

const (
	era10  era = iota // 1.0.128: sidechains in the main file
	era20             // 2.0.31: flat agents of 8 hex digits, warm-ups
	era207            // 2.0.76: flat agents of a + 6 hex digits, slugs
	era21             // 2.1.20 to 2.1.90: subagents/, progress rows
	eraNow            // 2.1.325: attachments in the chain
)

// client is a version of the client and what sets its files apart.
type client struct {
	era     era
	version string
	minor   int // of 2.1
	model   string
}

// hidden reports whether thinking is written without its text.
func (c *client) hidden() bool { return c.era == eraNow || c.era == era21 && c.minor >= 69 }

// final reports whether every line of a message carries its last usage.
func (c *client) final() bool { return c.era == eraNow }

// linear reports whether parallel results hang one under the other.
func (c *client) linear() bool { return c.era < era21 }

// threaded reports whether a result hangs under the progress before it.
func (c *client) threaded() bool { return c.era == era21 && c.minor < 83 }

func (c *client) agentTool() string {
	if c.era == eraNow {
		return "Agent"
	}
	return "Task"
}

func newClient(e era, t *texts) *client {
	c := &client{era: e}
	switch e {
	case era10:
		c.version, c.model = "1.0.128", t.one([]string{"claude-sonnet-4-20250514", "claude-opus-4-1-20250805"})
	case era20:
		c.version, c.model = "2.0.31", "claude-sonnet-4-5-20250929"
	case era207:
		c.version, c.model = "2.0.76", t.one([]string{"claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101"})
	case era21:
		c.minor = 20 + t.rng.IntN(71)
		c.version = "2.1." + strconv.Itoa(c.minor)
		c.model = t.one([]string{"claude-opus-4-5-20251101", "claude-opus-4-6", "claude-sonnet-4-6"})
	default:
		c.minor = 325
		c.version = "2.1.325"
		c.model = t.one([]string{"claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"})
	}
	return c
}
