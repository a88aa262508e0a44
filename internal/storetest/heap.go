package storetest

import "runtime"

// Heap is how many bytes are in use. A test of what something holds compares two
// of these, and must not be parallel to others.
func Heap() int64 {
	runtime.GC()
	runtime.GC() // what pools keep goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
