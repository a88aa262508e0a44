//go:build !race

package query_test

func tries(n int) int { return n }
