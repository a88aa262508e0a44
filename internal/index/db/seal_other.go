//go:build !linux && !darwin

package db

import "io/fs"

func imprintOf(info fs.FileInfo) imprint {
	return imprint{Size: info.Size(), Modtime: info.ModTime().UnixNano()}
}
