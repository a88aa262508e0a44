//go:build race

package sesskeep_test

// raceEnabled: the race detector makes everything several times slower.
func raceEnabled() bool { return true }
