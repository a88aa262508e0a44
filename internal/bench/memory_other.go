//go:build !linux

package main

import "os"

// memory is not known here.
func memory(*os.ProcessState) int64 { return 0 }

// peak is not known here.
func peak(int) int64 { return 0 }
