//go:build unix

package storetest

import (
	"os"
	"path"
	"syscall"
)

func allowedName(string) bool { return true }

// special makes what only a Unix file system has: pipes, links, modes.
func (h *hostile) special() {
	fifo := h.next()
	h.fail(syscall.Mkfifo(h.path(fifo), 0o600))
	h.made(fifo, "named pipe", 0)

	locked := h.add("file that may not be read", 0, pair("1"))
	h.fail(os.Chmod(h.path(locked), 0))
	h.put("projects/-locked/"+keep, "project that may not be listed", 0, "")
	h.fail(os.Chmod(h.path("projects/-locked"), 0o111)) // empty, so that it can be removed

	for _, l := range []struct{ target, what string }{
		{"/etc/hostname", "link to a file outside the home"},
		{"/dev/zero", "link to a device"},
		{"../../.credentials.json", "link to a secret of the home"},
		{"nowhere.jsonl", "link to nothing"},
		{".", "link to its own directory"},
	} {
		h.link(h.next(), l.target, l.what)
	}
	loop := h.next()
	h.link(loop, path.Base(loop), "link to itself")
	h.link("projects/-loop", "../projects", "project that is a link to all projects")
	h.link("projects/-outside", "/etc", "project that is a link out of the home")
}

func (h *hostile) link(name, target, what string) {
	h.fail(os.Symlink(target, h.path(name)))
	h.made(name, what, 0)
}
