package api

import (
	"context"
	"errors"
	"net/http"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/talk"
	"sesskeep/internal/versions"

	"github.com/danielgtaylor/huma/v2"
)

const aboutFiles = "files"

// fileRoutes are the operations about the past of files.
type fileRoutes struct{ *Server }

func (s fileRoutes) register(api huma.API) {
	w := routeInfo{id: "fileLog", sum: "List the changes that sessions made to a file, newest first", tag: aboutFiles, role: access.Read,
		more: "Without a path it lists the latest changes of all files. A path that is not absolute is the end of one."}
	get(api, "/files/log", w, s.log)
	w.id, w.sum = "fileVersion", "Return a file as it was at a time, before a prompt, or at the end of a session"
	w.more = "sure says how the content is known: exact, replayed or unknown. outside is the time in which others changed the file, if that is when the version is from. If a path means several files, the status is 409 and candidates lists them."
	get(api, "/files/version", w, s.version)
	w.id, w.sum, w.more = "compareFile", "Compare two versions of a file", ""
	get(api, "/files/compare", w, s.compare)
	w.id, w.sum = "blame", "Return who wrote each line of a file"
	w.more = "The file is the one on the disk if it lies in the directory of a project that changed it; otherwise, the last content that is known."
	get(api, "/files/blame", w, s.blame)
	w.id, w.sum, w.role = "restoreFile", "Restore an earlier version of a file", access.Operate
	w.more = "Only below the directory of a project whose session changed the file, through no link that leads out of it, unless to names another file. dryRun returns the difference."
	post(api, "/files/restore", w, s.restore)
	w = routeInfo{id: "filesAt", sum: "List what the files of a session were at a time", tag: aboutFiles, role: access.Read}
	get(api, "/projects/{project}/sessions/{id}/files/at", w, s.filesAt)
}

// InFile is the parameter of operations on one file.
type InFile struct {
	Path string `query:"path" required:"true" doc:"Path of the file, or the end of one"`
}

type fileLogInput struct {
	Path  string `query:"path" doc:"Path of the file, or the end of one. Default: all files"`
	Limit Number `query:"limit" doc:"Changes at most, up to 500" example:"50"`
}

func (s fileRoutes) log(ctx context.Context, in *fileLogInput) (*body[talk.FileLog], error) {
	n, err := limit(in.Limit, usualLimit)
	if err != nil {
		return nil, err
	}
	log, err := s.opts.App.Talk.FileLog(ctx, talk.FileLogOptions{Path: in.Path, Limit: n})
	if err != nil {
		return nil, err
	}
	return answer(log), nil
}

// AtVersion are the parameters of operations on one version of a file.
type AtVersion struct {
	InFile
	At string `query:"at" doc:"A time, the id of a prompt (before its changes) or of a change (after it), or the address of a session (its end). Default: the last content that is known"`
}

func (s fileRoutes) version(ctx context.Context, in *AtVersion) (*body[versions.FileVersion], error) {
	f, err := s.opts.App.Versions.Show(ctx, in.Path, in.At)
	if err != nil {
		return nil, several(err)
	}
	return answer(f), nil
}

type compareFileInput struct {
	InFile
	A string `query:"a" required:"true" doc:"The version before, as at of fileVersion"`
	B string `query:"b" doc:"The version after. Default: the last content that is known"`
}

func (s fileRoutes) compare(ctx context.Context, in *compareFileInput) (*body[versions.FileComparison], error) {
	c, err := s.opts.App.Versions.Compare(ctx, in.Path, in.A, in.B)
	if err != nil {
		return nil, several(err)
	}
	return answer(c), nil
}

type blameInput struct {
	AtVersion
	From    Number `query:"from" doc:"First line, from 1. Default: all lines"`
	To      Number `query:"to" doc:"Last line. Default: the first one"`
	Commits bool   `query:"commits" doc:"Add the commit that each line came with, as git's own blame says, and the sessions that made it. Only for a file on the disk, in a repository, without at"`
}

func (s fileRoutes) blame(ctx context.Context, in *blameInput) (*body[versions.BlamePage], error) {
	from, err := number("from", in.From, 0)
	if err != nil {
		return nil, err
	}
	to, err := number("to", in.To, 0)
	if err != nil {
		return nil, err
	}
	page, err := s.opts.App.Versions.Blame(ctx, versions.BlameRequest{Path: in.Path, At: in.At, From: from, To: to, Commits: in.Commits})
	if err != nil {
		return nil, several(err)
	}
	return answer(page), nil
}

type restoreFileInput struct {
	Dry
	Body struct {
		Path string `json:"path" doc:"Path of the file, or the end of one"`
		At   string `json:"at" doc:"The version, as at of fileVersion"`
		To   string `json:"to,omitempty" doc:"Absolute path of the file that gets the content. Default: the path"`
	}
}

func (s fileRoutes) restore(ctx context.Context, in *restoreFileInput) (*body[versions.FileRestoration], error) {
	r := versions.RestoreRequest{Path: in.Body.Path, At: in.Body.At, To: in.Body.To}
	out, err := s.opts.App.Versions.Restore(ctx, s.doing(ctx, in.DryRun, false), r)
	if err != nil {
		return nil, several(err)
	}
	return answer(out), nil
}

type filesAtInput struct {
	OneSession
	At string `query:"at" required:"true" doc:"A time, or the id of a prompt: before its changes"`
}

func (s fileRoutes) filesAt(ctx context.Context, in *filesAtInput) (*body[versions.FileTree], error) {
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	files, err := s.opts.App.Talk.Files(ctx, t)
	if err != nil {
		return nil, err
	}
	var paths []string
	for i := range files {
		paths = append(paths, files[i].Path)
	}
	tree, err := s.opts.App.Versions.Tree(ctx, paths, versions.InSession(t, in.At, s.opts.Now()))
	if err != nil {
		return nil, err
	}
	tree.SessionID, tree.Root = t.Ref.ID(), t.Store.Root()
	return answer(tree), nil
}

// several lists the files of a path that means more than one.
func several(err error) error {
	var many *versions.SeveralError
	if !errors.As(err, &many) {
		return err
	}
	p := newProblem(http.StatusConflict, string(errcode.Ambiguous), many.Error())
	for _, file := range many.Files {
		p.Candidates = append(p.Candidates, file)
	}
	return p
}
