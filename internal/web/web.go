// Package web holds the dashboard as it was built from web/: the files that a
// browser loads, in the program itself.
//
// Open finds the file of a path. Nothing in them is about the user: they may be
// given to anybody who can reach the server.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Everything is embedded, also what begins with an underscore.
//
//go:embed all:dist
var dist embed.FS

// Policy is what the dashboard may load and do. Its only origin is its own: what
// a transcript says can neither run nor call anybody.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types svelte-trusted-html app-worker"

// File is one file of the dashboard.
type File struct {
	Content []byte
	Kind    string // media type
	Tag     string // of its content, for If-None-Match
	// Lasting says that the name changes with the content, so that a browser
	// need never ask again.
	Lasting bool

	packed func() []byte
}

// Gzip is the content compressed; nil where that saves nothing.
func (f *File) Gzip() []byte { return f.packed() }

// files are all of them by name, read once.
var files = sync.OnceValue(func() map[string]*File {
	list := map[string]*File{}
	err := fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := dist.ReadFile(name)
		list[strings.TrimPrefix(name, "dist/")] = newFile(name, content)
		return err
	})
	if err != nil {
		panic("web: " + err.Error()) // what is part of the program cannot be unreadable
	}
	return list
})

func newFile(name string, content []byte) *File {
	sum := sha256.Sum256(content)
	return &File{
		Content: content, Kind: kindOf(name), Tag: `"` + hex.EncodeToString(sum[:12]) + `"`,
		Lasting: strings.HasPrefix(name, "dist/"+assets),
		packed:  sync.OnceValue(func() []byte { return pack(content) }),
	}
}

// assets is where the build puts files whose names have a hash of their content.
const assets = "assets/"

// Open finds a file by its path below /ui/. What is no file is a route of the
// dashboard and begins with its page, except among the assets: a browser that
// asks for one of another build has to learn that it is gone.
func Open(name string) (*File, bool) {
	if f, ok := files()[name]; ok {
		return f, true
	}
	if strings.HasPrefix(name, assets) {
		return nil, false
	}
	f, ok := files()["index.html"]
	return f, ok
}

// minPacked is the size from which a file is compressed.
const minPacked = 1 << 10

func pack(content []byte) []byte {
	if len(content) < minPacked {
		return nil
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one of its own
	_, _ = w.Write(content)                                 // to memory
	_ = w.Close()
	if out.Len() >= len(content) {
		return nil
	}
	return out.Bytes()
}

// kinds are the media types of what a build makes. The system's own table would
// differ from machine to machine, and a browser believes nothing else.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp", ".woff2": "font/woff2",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
	".wasm": "application/wasm",
}

func kindOf(name string) string {
	if kind, ok := kinds[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}
