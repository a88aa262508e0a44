package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"sesskeep/internal/errcode"
)

// ListName is the file that lists what was written into a folder.
const ListName = "sesskeep.json"

// version is the version of the list's format. A list with a newer one is rejected.
const version = 1

// list is the content of that file.
type list struct {
	Version  int              `json:"version"`
	Sessions map[string]entry `json:"sessions"` // sessions by key
}

// entry is a session in a folder.
type entry struct {
	File  string `json:"file"`            // its document, below the folder
	State string `json:"state"`           // hash of what it was written from; see stateOf
	Words string `json:"words,omitempty"` // words that a site searches
	Facts *facts `json:"facts,omitempty"` // what the list of a site shows
}

// readList reads the list of a folder. A folder with files and without a list is rejected.
func readList(root *os.Root) (list, error) {
	l := list{Version: version, Sessions: map[string]entry{}}
	data, err := root.ReadFile(ListName)
	if errors.Is(err, fs.ErrNotExist) {
		return l, checkEmpty(root)
	}
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return l, errcode.New(errcode.Conflict, fmt.Errorf("%s of the folder is damaged: %w", ListName, err))
	}
	if l.Version > version {
		return l, errcode.New(errcode.Conflict, fmt.Errorf("the folder was written by a newer version of sesskeep"))
	}
	if l.Sessions == nil {
		l.Sessions = map[string]entry{}
	}
	return l, nil
}

func checkEmpty(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if len(entries) > 0 {
		return errcode.New(errcode.Conflict, fmt.Errorf("the folder has files that sesskeep did not write, such as %s", entries[0].Name()))
	}
	return err
}

// save writes the list.
func (l *list) save(root *os.Root) error {
	data, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return err
	}
	return replace(root, ListName, func(f *os.File) error {
		_, err := f.Write(append(data, '\n'))
		return err
	})
}

// replace writes a file as a whole or not at all. It follows no link out of the folder.
func replace(root *os.Root, name string, write func(*os.File) error) (err error) {
	part := name + ".part"
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part)
	}
	return err
}
