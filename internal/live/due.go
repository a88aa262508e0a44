package live

import "sesskeep"

// due is what has to be checked.
type due struct {
	registry, jobs, projects bool

	folders map[sesskeep.ProjectKey]bool
	sides   map[*side]bool
	files   map[string]bool
	judge   map[*session]bool
}

func newDue() due {
	return due{
		folders: map[sesskeep.ProjectKey]bool{}, sides: map[*side]bool{},
		files: map[string]bool{}, judge: map[*session]bool{},
	}
}

// some reports whether anything is due.
func (d *due) some() bool {
	return d.registry || d.jobs || d.projects || len(d.folders)+len(d.sides)+len(d.files)+len(d.judge) > 0
}

// emptied empties a set and returns what was in it.
func emptied[K comparable](set *map[K]bool) map[K]bool {
	all := *set
	if len(all) > 0 {
		*set = map[K]bool{}
	}
	return all
}
