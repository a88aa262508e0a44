package versions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
	"sesskeep/internal/timeline"
)

// BlameCommit is a commit that a line of a file came with, as git's own blame says.
type BlameCommit struct {
	ID       string          `json:"id"`                 // full hash
	Time     stamp.Time      `json:"timestamp,omitzero"` // when it was written
	Author   string          `json:"author"`             // name of its author
	Summary  string          `json:"summary"`            // first line of its message
	Sessions []CommitSession `json:"sessions"`           // sessions that made or pushed it
}

// CommitSession is a session that made or pushed a commit.
type CommitSession struct {
	Address string `json:"address"` // address of the session or agent
	Title   string `json:"title"`   // its title
}

// How long git may take, and how much it may print.
const (
	gitPatience = 20 * time.Second
	maxGit      = 64 << 20
)

// gitOptions keep a repository that others wrote from starting programs: its hooks, monitor, pager, filters and
// what converts texts. Revisions are read, never the files on the disk, which filters would see.
var gitOptions = []string{
	"--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.pager=cat",
	"-c", "safe.bareRepository=explicit", "-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "credential.helper=",
	"-c", "blame.ignoreRevsFile=", "-c", "core.quotePath=false", "-c", "log.showSignature=false", "-c", "color.ui=false",
}

// errGit is returned where git has nothing to say of a file.
func errGit(file, why string) error {
	return errcode.New(errcode.Invalid, fmt.Errorf("git blame %s: %s", file, why))
}

// gitBlame asks git which commit each line of a file came with, in the last commit.
func gitBlame(ctx context.Context, file string) (lines []timeline.Line, commits []BlameCommit, err error) {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return nil, nil, errGit(file, "there is no such file")
	}
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	args := slices.Concat(gitOptions, []string{"blame", "--porcelain", "--no-textconv", "--no-progress", "HEAD", "--", filepath.Base(real)})
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = filepath.Dir(real), gitEnv(os.Environ())
	cmd.WaitDelay = time.Second
	out, failed := &bounded{}, &bounded{}
	cmd.Stdout, cmd.Stderr = out, failed
	switch err := cmd.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, nil, errGit(file, "git is not installed")
	case ctx.Err() != nil:
		return nil, nil, errGit(file, "it took longer than "+gitPatience.String())
	case out.full:
		return nil, nil, errGit(file, "its answer is too large")
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(failed.String()), "\n")
		return nil, nil, errGit(file, strings.TrimPrefix(line, "fatal: "))
	}
	lines, commits = readPorcelain(out.Bytes())
	return lines, commits, nil
}

// gitEnv is an environment in which nothing leads git to another repository or asks the user.
func gitEnv(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return append(kept, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat", "LC_ALL=C")
}

// bounded keeps what a program prints, up to a limit.
type bounded struct {
	bytes.Buffer
	full bool
}

var errTooMuch = errors.New("too much output")

func (b *bounded) Write(p []byte) (int, error) {
	if b.full = b.Len()+len(p) > maxGit; b.full {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// readPorcelain reads what git blame prints for programs: each line with the index of its commit.
func readPorcelain(out []byte) (lines []timeline.Line, commits []BlameCommit) {
	index := map[string]int{}
	at := 0
	for text := range bytes.Lines(out) {
		line := string(text)
		if content, ok := strings.CutPrefix(line, "\t"); ok {
			lines = append(lines, timeline.Line{Text: strings.ReplaceAll(content, "\r\n", "\n"), By: at})
			continue
		}
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if len(key) >= 40 {
			known := false
			if at, known = index[key]; !known {
				at = len(commits)
				index[key] = at
				commits = append(commits, BlameCommit{ID: key, Sessions: []CommitSession{}})
			}
			continue
		}
		if len(commits) > 0 {
			commits[at].read(key, value)
		}
	}
	return lines, commits
}

// read takes over a header of a commit.
func (c *BlameCommit) read(key, value string) {
	switch key {
	case "author":
		c.Author = value
	case "author-time":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			c.Time = stamp.Time{Time: time.Unix(n, 0).UTC()}
		}
	case "summary":
		c.Summary = value
	}
}

// addCommits adds to each line the commit that it came with, and the sessions that made it. Lines that are not in the
// last commit as they are have none.
func (v *Versions) addCommits(ctx context.Context, page *BlamePage, all []timeline.Line) error {
	committed, commits, err := gitBlame(ctx, page.Path)
	if err != nil {
		return err
	}
	from := timeline.Match(committed, all)
	named := map[string]bool{}
	for i := range page.Lines {
		l := &page.Lines[i]
		at := from[l.Number-1]
		if at < 0 {
			continue
		}
		c := &commits[committed[at].By]
		if l.Commit = c.ID; !named[c.ID] {
			named[c.ID] = true
			page.Commits = append(page.Commits, *c)
		}
	}
	return v.addMakers(ctx, page)
}

// addMakers finds the sessions that made or pushed the commits.
func (v *Versions) addMakers(ctx context.Context, page *BlamePage) error {
	q, err := query.Parse("has:commit", v.Now())
	if err != nil {
		return err
	}
	list, err := v.Catalog.List(ctx, ask.Filter{Query: q, Source: ask.AllSources, Archived: ask.ArchivedToo, Now: v.Now(), Uncounted: true})
	if err != nil {
		return err
	}
	page.Covered = ask.NewCovered(page.Coverage.Join(list.Coverage))
	for i := range list.Sessions {
		r := &list.Sessions[i]
		for n := range page.Commits {
			c := &page.Commits[n]
			if slices.ContainsFunc(r.Commits, func(hash string) bool { return strings.HasPrefix(c.ID, hash) }) {
				c.Sessions = append(c.Sessions, CommitSession{r.Address(), catalog.NameOf(r)})
			}
		}
	}
	return nil
}
