package check

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sesskeep"
)

// Options say how a session is checked.
type Options struct {
	Live bool // a client is writing it: its last line may be unfinished
	// Siblings are the files beside the other sessions of the project. It may be nil.
	Siblings Siblings
	Links    Links // of the project directory; the zero Links are looked up
}

// Siblings are the names of agents' transcripts and of saved results in a project
// directory. A fork names those of the session it was made from.
type Siblings map[string]bool

// SiblingsOf lists them.
func SiblingsOf(folder sesskeep.Folder) Siblings {
	names := Siblings{}
	for _, list := range [][]sesskeep.Ref{folder.Refs, folder.Lone} {
		for _, ref := range list {
			if ref.Agent != "" {
				names[ref.ID()] = true
			}
		}
	}
	for _, results := range folder.Results {
		for _, name := range results {
			names[name] = true
		}
	}
	return names
}

// Session checks a session with everything that belongs to it.
func Session(ctx context.Context, s *sesskeep.Store, family sesskeep.Family, o Options) (Report, error) {
	r := Report{Session: family.Key.Session, Findings: []Finding{}, Notes: []Finding{}}
	found := &findings{}
	refs := slices.Concat(family.Agents, family.Twins)
	if family.Main != nil {
		r.File = family.Main.File
		refs = slices.Insert(refs, 0, *family.Main)
	} else {
		r.Verdict = Verdict{No, "its session has no transcript in this project"}
	}
	for _, duplicate := range family.Twins {
		found.add(Finding{Code: Superseded, File: duplicate.File})
	}
	for i, ref := range refs {
		f, err := r.file(ctx, s, ref, o, found)
		if err != nil {
			return r, err
		}
		if i == 0 && family.Main != nil {
			r.Verdict = f.verdict()
			if o.Links.has(s, ref.File) {
				found.add(Finding{Code: Link, File: ref.File})
			}
		}
		f.missing(s, family, o)
	}
	for _, lone := range family.Lone {
		found.add(Finding{Code: LoneMeta, File: lone.File, Name: string(lone.Agent)})
	}
	r.Findings, r.Notes = found.split()
	return r, nil
}

// file checks one transcript. That it cannot be read is a finding.
func (r *Report) file(ctx context.Context, s *sesskeep.Store, ref sesskeep.Ref, o Options, found *findings) (*file, error) {
	r.Files++
	r.Bytes += ref.Size
	if ref.Size == 0 {
		found.add(Finding{Code: Empty, File: ref.File})
	}
	f, err := examine(ctx, s, ref, o, found)
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	if err != nil {
		found.add(Finding{Code: Unreadable, File: ref.File, Meaning: "the file cannot be read: " + sesskeep.Cause(err).Error()})
	}
	r.Records += f.records
	return f, nil
}

// Links are the links among the files of a directory. They are looked up once for all its
// sessions, because that lists the whole directory.
type Links struct {
	dir   string
	names map[string]bool
}

// LinksIn lists the links in a project directory. One that cannot be read has none.
func LinksIn(s *sesskeep.Store, dir sesskeep.ProjectKey) Links {
	return linksIn(s, "projects/"+string(dir))
}

func linksIn(s *sesskeep.Store, dir string) Links {
	l := Links{dir, map[string]bool{}}
	entries, _ := s.Files().ReadDir(dir) // that it cannot be read is a finding of its own
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			l.names[e.Name()] = true
		}
	}
	return l
}

// has reports whether a file of the home is a link.
func (l Links) has(s *sesskeep.Store, name string) bool {
	if dir := path.Dir(name); dir != l.dir {
		l = linksIn(s, dir)
	}
	return l.names[path.Base(name)]
}

// missing finds what the records of a transcript refer to and no file has.
func (f *file) missing(s *sesskeep.Store, family sesskeep.Family, o Options) {
	for _, n := range f.saved {
		base := n.name[strings.LastIndexAny(n.name, `/\`)+1:]
		has := func(file string) bool { return path.Base(file) == base }
		if !slices.ContainsFunc(family.Results, has) && !o.Siblings[base] {
			f.report(NoResult, n.position, base)
		}
	}
	for _, n := range f.agents {
		has := func(ref sesskeep.Ref) bool { return string(ref.Agent) == n.name }
		there := slices.ContainsFunc(family.Agents, has) || slices.ContainsFunc(family.Twins, has) || slices.ContainsFunc(family.Lone, has)
		if !there && !o.Siblings["agent-"+n.name] {
			f.report(NoAgent, n.position, n.name)
		}
	}
}
