package sesskeep

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sesskeep/internal/jsonl"
)

// gitCall is a call of the shell that has no result yet and whose result can name
// commits or pull requests.
type gitCall struct {
	ID      string `json:"id"`
	Makes   bool   `json:"makes,omitempty"`   // it makes a commit
	Prints  bool   `json:"prints,omitempty"`  // it prints the newest commit after that
	Pushes  bool   `json:"pushes,omitempty"`  // it pushes, and fetches nothing
	Request bool   `json:"request,omitempty"` // it changes a pull request
}

// maxLinks bounds the commits and the pull requests of a transcript: the first ones count.
const maxLinks = 500

// What commands do. A word in a text that a command prints counts as well.
var (
	gitVerbs = expression(`(?:^|[;&|(\n]|\s)git(?:\s+-\S+(?:\s+[^-\s]\S*)?)*\s+([a-z-]+)(?:[\s;&|)]|$)`)
	requests = expression(`(?:^|[;&|(\n]|\s)gh\s+pr\s+(?:create|merge|edit|ready|close|reopen|comment)(?:\s|$)`)
)

// What they print.
var (
	made     = expression(`(?m)^\s*\[(?:[^\]\n]*\s)?([0-9a-f]{7,64})\](?:\s|$)`)
	newest   = expression(`(?m)^(?:commit )?([0-9a-f]{7,64})(?:\s|$)`)
	pushed   = expression(`(?m)^[\s+]*[0-9a-f]{7,64}\.{2,3}([0-9a-f]{7,64})\s+\S+ -> \S+`)
	linked   = expression(`https?://[^\s/"'<>]+/[^\s/"'<>]+/[^\s/"'<>]+/pull/\d+`)
	numbered = expression(`[Pp]ull request (?:([\w.-]+/[\w.-]+))?#(\d+)`)
)

// expression is compiled when it is first used: most transcripts use none.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// gitCallOf reads what a call does; nil: nothing with commits or pull requests.
func gitCallOf(u *ToolUse) *gitCall {
	if u.Tool != "Bash" && u.Tool != "PowerShell" || u.Answer {
		return nil
	}
	if !bytes.Contains(u.Input, []byte("git")) && !bytes.Contains(u.Input, []byte("gh")) {
		return nil
	}
	command := commandIn(u.Input)
	c := &gitCall{ID: u.ID, Request: requests().MatchString(command)}
	c.readVerbs(command)
	if !c.Makes && !c.Pushes && !c.Request {
		return nil
	}
	return c
}

func commandIn(input []byte) (command string) {
	var p jsonl.Parser
	p.Reset(input)
	for key := range p.Object() {
		if string(key) == "command" {
			command = p.Text()
		}
	}
	return command
}

// readVerbs notes what git is asked for, in its order: what is printed before a commit is
// made is an older one.
func (c *gitCall) readVerbs(command string) {
	early, fetches := false, false
	for _, m := range gitVerbs().FindAllStringSubmatch(command, -1) {
		switch m[1] {
		case "commit", "cherry-pick", "revert", "merge", "rebase", "am":
			c.Makes, c.Prints = true, false
		case "log", "rev-parse", "show":
			early = early || !c.Makes
			c.Prints = c.Makes
		case "push":
			c.Pushes = true
		case "pull", "fetch":
			fetches = true
		}
	}
	c.Prints = c.Prints && !early
	c.Pushes = c.Pushes && !fetches
}

// links folds in what an entry says of commits and pull requests.
func (d *Digest) links(e *Entry, uses []ToolUse) {
	for i := range uses {
		u := &uses[i]
		if c := gitCallOf(u); c != nil && len(d.GitCalls) < maxOpenCalls {
			d.GitCalls = append(slices.Clip(d.GitCalls), *c)
		}
		at := slices.IndexFunc(d.GitCalls, func(c gitCall) bool { return u.Answer && c.ID == u.ID })
		if at < 0 {
			continue
		}
		c := d.GitCalls[at]
		d.GitCalls = slices.Concat(d.GitCalls[:at], d.GitCalls[at+1:])
		d.answered(e, &c, u.Failed)
	}
}

// answered reads the result of a call. One that failed can have made a commit before.
func (d *Digest) answered(e *Entry, c *gitCall, failed bool) {
	text := ""
	for _, b := range e.Blocks() {
		if b.ID == c.ID {
			for i := range b.Content {
				text += b.Content[i].Text + "\n"
			}
		}
	}
	for _, m := range made().FindAllStringSubmatch(text, -1) {
		d.commit(c.Makes, m[1])
	}
	if m := newest().FindStringSubmatch(text); m != nil && c.Prints && !failed && !made().MatchString(text) && isHash(m[1]) {
		d.commit(true, m[1])
	}
	for _, m := range pushed().FindAllStringSubmatch(text, -1) {
		d.commit(c.Pushes, m[1])
	}
	if c.Request {
		for _, url := range linked().FindAllString(text, -1) {
			d.request(url)
		}
		for _, m := range numbered().FindAllStringSubmatch(text, -1) {
			d.request(m[1] + "#" + m[2])
		}
	}
	d.operation(e)
}

// isHash tells a hash from a number.
func isHash(text string) bool { return len(text) >= 40 || strings.ContainsAny(text, "abcdef") }

// operation reads what newer clients say of a git command themselves.
func (d *Digest) operation(e *Entry) {
	var result struct {
		Operation struct {
			Commit struct {
				Hash string `json:"sha"`
			} `json:"commit"`
			Request struct {
				URL    string `json:"url"`
				Number int    `json:"number"`
			} `json:"pr"`
		} `json:"gitOperation"`
	}
	if !bytes.Contains(e.Result, []byte(`"gitOperation"`)) || json.Unmarshal(e.Result, &result) != nil {
		return
	}
	op := &result.Operation
	d.commit(len(op.Commit.Hash) >= 7 && strings.Trim(op.Commit.Hash, "0123456789abcdef") == "", op.Commit.Hash)
	d.pullRequest(op.Request.URL, "", op.Request.Number)
}

// commit adds a hash. Of two that begin alike the longer one stays.
func (d *Digest) commit(is bool, hash string) {
	if !is {
		return
	}
	for i, known := range d.Commits {
		switch {
		case strings.HasPrefix(known, hash):
			return
		case strings.HasPrefix(hash, known):
			d.Commits = slices.Clone(d.Commits)
			d.Commits[i] = hash
			return
		}
	}
	if len(d.Commits) < maxLinks && len(hash) <= 64 {
		d.Commits = append(d.Commits, hash)
	}
}

// linkLine reads a line by which the client links the session with a pull request.
func (d *Digest) linkLine(e *Entry) {
	var line struct {
		URL        string `json:"prUrl"`
		Number     int    `json:"prNumber"`
		Repository string `json:"prRepository"`
	}
	if json.Unmarshal(e.Raw, &line) == nil {
		d.pullRequest(line.URL, line.Repository, line.Number)
	}
}

// pullRequest adds one by its address, or by its number where it has none.
func (d *Digest) pullRequest(url, repository string, number int) {
	switch {
	case strings.HasPrefix(url, "https://"), strings.HasPrefix(url, "http://"):
		d.request(url)
	case number > 0:
		d.request(repository + "#" + strconv.Itoa(number))
	}
}

// request adds a pull request. A number says nothing new of one whose address is known.
func (d *Digest) request(name string) {
	if len(name) > labelSize || strings.ContainsAny(name, " \t\r\n") {
		return
	}
	repository, number, short := strings.Cut(name, "#")
	known := func(other string) bool {
		return other == name || short && strings.HasSuffix(other, repository+"/pull/"+number)
	}
	if len(d.PullRequests) < maxLinks && !slices.ContainsFunc(d.PullRequests, known) {
		d.PullRequests = append(d.PullRequests, name)
	}
}
