package disktest

import (
	"bytes"
	"errors"
	"math/rand/v2"
)

// Loss says what a crash takes of what was not synced.
type Loss func(d *Disk) (names func(n int) bool, data func(n *node) ([]byte, error))

// Lose is a crash that takes everything that was not synced.
func Lose(*Disk) (func(int) bool, func(*node) ([]byte, error)) {
	return func(int) bool { return true }, func(n *node) ([]byte, error) { return n.durable, nil }
}

// Keep is a crash of the process alone: the system writes the rest.
func Keep(*Disk) (func(int) bool, func(*node) ([]byte, error)) {
	return func(int) bool { return false }, (*node).content
}

// Tear is a crash that takes some of it: names here and there, and of the bytes
// those from a random place on, or what they should have been is zero.
func Tear(seed uint64) Loss {
	rnd := rand.New(rand.NewPCG(seed, 1))
	return func(d *Disk) (func(int) bool, func(*node) ([]byte, error)) {
		for i := range d.changes {
			if rnd.IntN(2) == 0 {
				d.keep(i)
			}
		}
		return func(int) bool { return true }, func(n *node) ([]byte, error) { return n.tear(rnd) }
	}
}

// tear returns something between what is on the disk and what was written.
func (n *node) tear(rnd *rand.Rand) ([]byte, error) {
	data, err := n.content()
	if err != nil || !bytes.HasPrefix(data, n.durable) {
		if rnd.IntN(2) == 0 {
			data = n.durable
		}
		return data, err
	}
	added := data[len(n.durable):]
	cut := rnd.IntN(len(added) + 1)
	if rnd.IntN(4) == 0 {
		clear(added[cut:])
		return data, nil
	}
	return data[:len(n.durable)+cut], nil
}

// Reboot ends a crash. Files open from before must not be used any more.
func (d *Disk) Reboot(loss Loss) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	lost, data := loss(d)
	var errs []error
	for i := len(d.changes) - 1; i >= 0; i-- {
		if c := d.changes[i]; !c.synced && lost(i) {
			errs = append(errs, c.undo())
		}
	}
	for _, n := range d.nodes {
		if n.dirty {
			errs = append(errs, n.restore(data))
		}
	}
	d.forget()
	d.down, d.at = false, Point{}
	return errors.Join(errs...)
}

func (n *node) restore(data func(*node) ([]byte, error)) error {
	left, err := data(n)
	if err != nil {
		return err
	}
	if err := n.handle.Truncate(0); err != nil {
		return err
	}
	_, err = n.handle.WriteAt(left, 0)
	return err
}
