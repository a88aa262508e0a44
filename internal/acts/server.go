package acts

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// ServerVerb is the verb of the acts that put our server of the Model Context Protocol into
// a file of the client.
const ServerVerb = "mcp install"

// Server says where our server of the Model Context Protocol is entered, and how the client
// starts it.
type Server struct {
	Program string
	Args    []string
	// Project is the directory whose .mcp.json gets it; empty: the user's .claude.json.
	Project string
	// Inside says that the client keeps .claude.json inside of the home and never beside it.
	Inside bool
}

// Enter plans to enter the server. Other entries and all other bytes of the file stay.
func (v Server) Enter(ctx context.Context, s *shelf.Shelf, by shelf.Actor, root string) (Change, error) {
	c := Change{Plan: shelf.Plan{Verb: ServerVerb, Actor: by, Home: root}, File: v.file(root)}
	fail := func(err error) (Change, error) { return c, &sesskeep.Error{Op: ServerVerb, Name: c.File, Err: err} }
	f, err := v.read(ctx, s, root, c.File)
	if err != nil {
		return fail(err)
	}
	if v.Project != "" {
		c.Plan.Named = []string{f.Path}
	}
	c.Before = f.Data
	after, err := settings.AddServer(f.Data, v.Program, v.Args)
	if err != nil {
		return fail(err)
	}
	if c.Before == nil && v.Project != "" { // it is shared with others
		c.After = after
		c.Plan.Steps = shelf.Steps{shelf.Create{File: c.File, From: shelf.Bytes(after), Mode: 0o644}}
		return c, s.Check(c.Plan)
	}
	return c.Become(s, f, after)
}

func (v Server) read(ctx context.Context, s *shelf.Shelf, root, file string) (shelf.File, error) {
	if v.Project != "" {
		return s.ReadNamed(root, file)
	}
	return s.Read(ctx, root, file)
}

// file is the file that lists servers: the client's state is where one is already.
func (v Server) file(root string) string {
	if v.Project != "" {
		return filepath.Join(v.Project, ".mcp.json")
	}
	places := homefs.StateFiles(root)
	if v.Inside || len(places) == 1 {
		return places[0]
	}
	if _, err := os.Lstat(places[1]); err != nil {
		if _, err := os.Lstat(places[0]); err == nil {
			return places[0]
		}
	}
	return places[1]
}

// UndoServer takes our server out of a file that others changed since. Refused says why
// nothing is done where it is not in it any more, or was there before.
func UndoServer(s *shelf.Shelf, a shelf.Act, by shelf.Actor, refused error) (Change, error) {
	c := Change{
		Plan: shelf.Plan{Verb: "undo", Actor: by, Home: a.Home, Undoes: a.ID, Named: a.Named},
		Verb: a.Verb, File: a.Files()[0], Partly: true,
	}
	read := s.ReadNow
	if len(a.Named) > 0 {
		read = s.ReadNamed
	}
	f, err := read(a.Home, c.File)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	c.Before = f.Data
	before, err := s.Kept(a, 0)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
	}
	if settings.HasServer(before) || !settings.HasServer(f.Data) {
		return c, refused
	}
	after, err := settings.RemoveServer(f.Data)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}
