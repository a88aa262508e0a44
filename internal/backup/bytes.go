package backup

import (
	"bytes"
	"io/fs"
	"time"

	"sesskeep/homefs"
)

// Bytes returns a file in memory.
func Bytes(data []byte, at time.Time) homefs.File {
	return memory{bytes.NewReader(data), memoryInfo{int64(len(data)), at}}
}

type memory struct {
	*bytes.Reader
	info memoryInfo
}

func (m memory) Stat() (fs.FileInfo, error) { return m.info, nil }
func (m memory) Close() error               { return nil }

type memoryInfo struct {
	size int64
	at   time.Time
}

func (i memoryInfo) Name() string       { return "" }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return 0o600 }
func (i memoryInfo) ModTime() time.Time { return i.at }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return &homefs.Mark{Size: i.size, Modtime: i.at.UnixNano()} }
