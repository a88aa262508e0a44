// Package identity gives every home and machine a short id that stays: it stays
// when the home is moved, renamed or restored from a backup.
//
// The ids are kept with their current names and paths in homes.json, in our own
// data directory; nothing is written below a home. The file has a checksum and
// copies: lost or damaged it is made again, and Resolve says so. Where it cannot be
// written, ids follow the paths, and Resolve says that too. Call Resolve with the homes
// that were opened, and hand what it returns to their Stores.
package identity

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/lock"
	"sesskeep/internal/sealed"
)

// Home is a home with what it is called.
type Home struct {
	ID          sesskeep.HomeID
	Name        string // what people call it; unique among the homes of all machines
	Machine     sesskeep.MachineID
	MachineName string
}

// Root is a home to be identified.
type Root struct {
	Dir string
	// Name is the user's name for the home, and Machine names the machine it was copied from.
	// An empty Name keeps the name that the home has, or takes the next free one; an empty
	// Machine is this machine.
	Name, Machine string
}

// ParseName reads HOME[.MACHINE] into a Root without a directory. It is false if
// the text is no such name.
func ParseName(text string) (Root, bool) {
	home, machine, far := strings.Cut(text, ".")
	if !sesskeep.ValidName(home) || far && !sesskeep.ValidName(machine) {
		return Root{}, false
	}
	return Root{Name: home, Machine: machine}, true
}

// Options say where ids are kept.
type Options struct {
	Dir  string // our data directory; empty: ids follow the paths
	Host string // what this machine calls itself
	// Keys are those that our other stores know, which name homes and machines. They
	// are asked for where the file is lost with its copies; nil: there are none.
	Keys func() []sesskeep.Key
}

// patience is how long Resolve waits for another process that writes the file.
const patience = time.Second

// Resolve returns the homes at roots with their ids, in that order, and remarks
// for the user. A home that is new gets an id. It fails only if a name that the
// user gave belongs to another home.
func Resolve(o Options, roots []Root) ([]Home, []string, error) {
	if o.Dir == "" {
		homes, err := unkept(o, &registry{}, roots)
		return homes, nil, err
	}
	known, state, err := read(o.Dir)
	if err == nil && state.Lost == nil {
		homes, changed, err := known.resolve(o.Host, drawMachine, roots)
		if err != nil || !changed && state.Whole {
			return homes, nil, err
		}
		if !changed { // a copy is missing, which does no harm yet
			_, _, _ = update(o, roots)
			return homes, nil, nil
		}
	}
	if err == nil && state.Unreadable() {
		homes, err := unkept(o, known, roots)
		return homes, []string{fmt.Sprintf("the list of homes cannot be read, and its copy was used: %v", state.Lost)}, err
	}
	homes, notes, err := update(o, roots)
	var taken *TakenError
	if err == nil || errors.As(err, &taken) {
		return homes, notes, err
	}
	notes = append(notes, fmt.Sprintf("cannot keep the ids of homes, so they follow their paths: %v", err))
	known.adopt(o.keys(), roots)
	homes, err = unkept(o, known, roots)
	return homes, notes, err
}

// update resolves again while no other process can write, and writes what is
// new. The file is read again: it may have been written since.
func update(o Options, roots []Root) (homes []Home, notes []string, err error) {
	l, err := acquireLock(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	known, state, err := read(o.Dir)
	if err != nil && !errors.Is(err, sealed.ErrDamaged) {
		return nil, nil, err
	}
	if state.Lost != nil {
		if notes, err = o.recover(known, state, roots); err != nil {
			return nil, notes, err
		}
	}
	homes, changed, err := known.resolve(o.Host, drawMachine, roots)
	if err == nil && (changed || !state.Whole) {
		err = known.write(o.Dir)
	}
	return homes, notes, err
}

// unkept resolves without writing. What the registry does not know gets an id
// that the next process would give it too.
func unkept(o Options, known *registry, roots []Root) ([]Home, error) {
	host := cmp.Or(cleanName(o.Host), "machine")
	homes, _, err := known.resolve(o.Host, func() sesskeep.MachineID {
		return sesskeep.MachineID(derive("machine", host, machineLen))
	}, roots)
	return homes, err
}

func acquireLock(dir string) (*lock.Lock, error) {
	deadline := time.Now().Add(patience)
	for {
		l, err := lock.Acquire(lockPath(dir))
		if !errors.Is(err, lock.ErrHeld) || time.Now().After(deadline) {
			return l, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TakenError says that a name the user gave belongs to another home.
type TakenError struct {
	Name string
	Root string // of the home that has it
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the name %q belongs to the home at %s", e.Name, e.Root)
}

// At returns the id of the home that was last at a path, according to the registry in
// dir; false if there was none.
func At(dir, path string) (sesskeep.HomeID, bool) {
	known, _, err := read(dir)
	if err != nil {
		return "", false
	}
	for _, h := range known.Homes {
		if h.Path == path {
			return h.ID, true
		}
	}
	return "", false
}
