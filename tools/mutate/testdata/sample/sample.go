// Package sample has refusals, each with a comment, and what looks like one.
package sample

import (
	"errors"
	"fmt"
	"os"
)

var errLarge = errors.New("too large")

type refused struct{ what string }

func (r *refused) Error() string { return r.what }

func fail(what string) *refused { return &refused{what} }

func check(n int, name string) error {
	if n > 10 { // refusal: n > 10
		return errLarge
	}
	if name == "" { // refusal: name == ""
		return fail("no name")
	}
	_, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("look at it: %w", err)
	}
	if err == nil && n < 0 { // refusal: err == nil && n < 0
		err = errors.New("negative")
	}
	return err
}

func act(n int, names ...string) (int, error) {
	if err := check(n, "."); err != nil { // refusal: err := check(n, "."); err != nil
		return 0, err
	}
	refuse := func(why error) (int, error) { return 0, why }
	var all error
	for _, name := range names {
		switch {
		case name == "secret", name == "private": // refusal: case name == "secret"
			return refuse(errors.New("denied"))
		case name == "none":
			return 0, nil
		}
		all = errors.Join(all, reach(name))
	}
	if all != nil { // refusal: all != nil
		return 0, fmt.Errorf("some failed: %w", all)
	}
	return n, nil
}

func find(n int) (string, error) {
	if n == 1 {
		return "one", nil
	}
	return "", fail("not found") // refusal: return fail("not found")
}

func reach(string) error { return nil }
