//go:build !race

package index

const pace = 1.0
