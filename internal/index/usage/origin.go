package usage

import (
	"context"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
)

// A fork has the messages of its origin, alike in every figure. They count in the
// origin: with an index by the rows of sessions, without one by what is found out
// here about the few files that repeat each other.

// copied is the condition that a message is a fork's copy: the session that its
// file was forked from has it too. It takes the names of a row and of a message.
// Few files have a message: who begins with the rows looks at all of a home.
func copied(row, message string) string {
	return "(" + row + ".fork <> '' AND EXISTS (SELECT 1 FROM usage theirs CROSS JOIN row origin ON origin.file = theirs.file WHERE theirs.hash = " +
		message + ".hash AND origin.id = " + row + ".fork AND origin.root = " + row + ".root))"
}

// repeating are the files that have some of these messages together with another
// file of their home: one of the two can be a fork. Copies of a home alone are none.
func (x *Files) repeating(messages map[string]bool) map[int]bool {
	files, first := map[int]bool{}, map[[2]string]int{}
	for i := range x.list {
		for j := range x.list[i].rows {
			id := x.list[i].rows[j].Message
			if !messages[id] {
				continue
			}
			key := [2]string{x.list[i].location.Root, id}
			if other, had := first[key]; had {
				files[i], files[other] = true, true
				continue
			}
			first[key] = i
		}
	}
	return files
}

// kinKey is a project directory of a home, and the first line of some sessions
// in it.
type kinKey struct {
	root  string
	dir   sesskeep.ProjectKey
	first uint64
}

// findOrigins finds what some files were forked from, as an index does. It reads only
// these again, and those that begin with the same line.
func (x *Files) findOrigins(ctx context.Context, workers int, again map[int]bool) {
	folders := map[kinKey]bool{}
	for i := range again {
		folders[x.list[i].folder(0)] = true
	}
	firsts := make([]uint64, len(x.list))
	inParallel(ctx, workers, len(x.list), func(i int) {
		if f := &x.list[i]; f.ref.Layout == sesskeep.LayoutMain && folders[f.folder(0)] {
			firsts[i] = f.first()
		}
	})
	groups := map[kinKey][]int{}
	for i, first := range firsts {
		if first != 0 {
			key := x.list[i].folder(first)
			groups[key] = append(groups[key], i)
		}
	}
	for _, group := range groups {
		if slices.ContainsFunc(group, func(i int) bool { return again[i] }) {
			for _, i := range group {
				again[i] = true
			}
		}
	}
	kins := make([]lineage.Kin, len(x.list))
	inParallel(ctx, workers, len(x.list), func(i int) {
		if again[i] {
			kins[i] = x.list[i].kin()
			x.list[i].fork = kins[i].Known
		}
	})
	for _, group := range groups {
		if len(group) < 2 || !again[group[0]] {
			continue
		}
		var family []lineage.Kin
		for _, i := range group {
			family = append(family, kins[i])
		}
		from := lineage.Forks(family)
		for _, i := range group {
			x.list[i].fork = from[kins[i].ID]
		}
	}
}

func (f *spentFile) folder(first uint64) kinKey {
	return kinKey{f.location.Root, f.dir, first}
}

// first is the hash of the first uuid of a session, 0 if it has none.
func (f *spentFile) first() uint64 {
	t, err := f.store.Tail(f.ref.File, homefs.Mark{})
	if err != nil {
		return 0
	}
	defer t.Close()
	var d sesskeep.Digest
	for e, ok := t.Next(); ok && len(d.Chain) == 0; e, ok = t.Next() {
		d.Add(e)
	}
	if e, ok := t.Rest(); ok && len(d.Chain) == 0 {
		d.Add(e)
	}
	if len(d.Chain) == 0 {
		return 0
	}
	return db.Hash(d.Chain[0].UUID)
}

// kin is the file among its relatives. One that cannot be read has none.
func (f *spentFile) kin() lineage.Kin {
	k := lineage.Kin{ID: f.location.ID}
	d, err := f.store.Digest(f.ref.File)
	if err != nil {
		return k
	}
	k.Known = string(d.ForkedFrom)
	k.Chain = lineage.Decode(lineage.Encode(d.Chain, 0, len(d.Chain)))
	return k
}

// origins are the messages of sessions that others were forked from, by home and
// session.
type origins map[[2]string]map[string]bool

func (x *Files) origins() origins {
	all := origins{}
	for i := range x.list {
		if f := &x.list[i]; f.fork != "" {
			all[[2]string{f.location.Root, f.fork}] = map[string]bool{}
		}
	}
	for i := range x.list {
		f := &x.list[i]
		if has := all[[2]string{f.location.Root, f.location.ID}]; has != nil {
			for j := range f.rows {
				has[f.rows[j].Message] = true
			}
		}
	}
	return all
}

// have reports whether the file that f was forked from has a message: then f only repeats it.
func (o origins) have(f *spentFile, message string) bool {
	return f.fork != "" && o[[2]string{f.location.Root, f.fork}][message]
}
