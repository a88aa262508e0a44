//go:build !race

package sesskeep_test

func raceEnabled() bool { return false }
