//go:build !linux

package main

import (
	"os"
	"time"
)

// memory is not known here.
func memory(*os.ProcessState) int64 { return 0 }

// peak is not known here.
func peak(int) int64 { return 0 }

// resident is not known here.
func resident(int) int64 { return 0 }

// spent is not known here.
func spent(int) time.Duration { return 0 }
