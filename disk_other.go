//go:build !unix

package sesskeep

const openNonblock = 0
