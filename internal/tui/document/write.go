package document

import (
	"errors"
	"io/fs"
	"os"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/acts"
	"sesskeep/internal/regular"
	"sesskeep/internal/talk"
	"sesskeep/internal/tui/pages"
)

// writtenMsg is what became of a document.
type writtenMsg struct {
	path   string
	link   *pages.Link // what was made in place of a file
	hidden talk.Hidden
	err    error
}

// write writes the document, or makes the link.
func (p *Page) write() tea.Cmd {
	switch {
	case p.writing:
		return pages.Note("it is being written")
	case p.hidden == nil:
		return pages.Note("wait for the preview")
	case p.days() == 0 && p.path() == "":
		return pages.Note("name the file")
	}
	p.writing = true
	w, row, leaf, o, path, life := p.world, p.row, p.leaf, p.options(), p.path(), p.life()
	return func() tea.Msg {
		t, err := target(w, &row, leaf)
		if err != nil {
			return writtenMsg{err: err}
		}
		if life > 0 {
			link, err := w.ShareLink(w.Ctx, pages.LinkRequest{Target: t, Thinking: !o.NoThinking, Tools: !o.NoTools, Agents: o.Agents, Life: life})
			return writtenMsg{link: &link, err: err}
		}
		if o.Plain {
			if err := w.App.Acts.NoteExport(w.Ctx, acts.Doing{Actor: w.Actor}, t.Store, t.Ref, o.What()); err != nil {
				return writtenMsg{err: err}
			}
		}
		f, err := regular.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return writtenMsg{err: err}
		}
		hidden, err := w.App.Talk.Preview(w.Ctx, f, t, o)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path) // a part of it would look like the whole
		}
		return writtenMsg{path: path, hidden: hidden, err: err}
	}
}

// written says where the document is, and leaves. A link stays on the screen.
func (p *Page) written(msg writtenMsg) tea.Cmd {
	p.writing = false
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return pages.Note("that file exists: choose another name")
	case msg.err != nil:
		return pages.Note("not written: " + msg.err.Error())
	case msg.link != nil:
		p.link = msg.link
		return pages.Copy(msg.link.URL)
	}
	return tea.Batch(pages.Note("wrote "+msg.path), pages.Back())
}
