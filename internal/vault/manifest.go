package vault

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// manifestName is the file that says what is in a box. It has a line for each
// change: a checksum, and the records of the change, which are there all or not
// at all. What the box holds is all of them, one after the other.
const manifestName = "manifest"

// ErrNewer says that copies are kept in a form that this program does not know. It
// leaves them alone.
var ErrNewer = errors.New("written by a newer sesskeep")

// understood are the forms that this program knows. A manifest starts with those
// that its reader must know. What a reader may leave out needs no form: records
// and fields of other names are passed over.
var understood = []string{formFrames}

// formFrames is that of versions made of frames and an end.
const formFrames = "frames"

// record is a part of a change: one of these.
type record struct {
	Needs  []string    `json:"needs,omitempty"`  // forms that a reader must know
	Seq    uint64      `json:"seq,omitempty"`    // how many changes there were, with those that were written as one
	Frames string      `json:"frames,omitempty"` // the file that the frames are in
	Start  *beginning  `json:"begin,omitempty"`  // a version starts
	Frame  *frame      `json:"frame,omitempty"`  // a frame was appended to a version
	Status *status     `json:"status,omitempty"` // a version is the same as its source
	Gone   *goneRecord `json:"gone,omitempty"`   // a file is not there any more
}

type beginning struct {
	Version int         `json:"version"`
	Name    string      `json:"name"` // inside the home
	Time    time.Time   `json:"time"`
	Mode    fs.FileMode `json:"mode"`
}

// frame is a piece of a version. One with the same offset as the last one replaces it.
type frame struct {
	Version int    `json:"version"`
	From    int64  `json:"from"` // offset in the version
	Size    int64  `json:"size"`
	At      int64  `json:"at"` // offset in the frames
	Length  int64  `json:"length"`
	SHA256  digest `json:"sha256"`         // of the bytes of the version
	Sum     uint32 `json:"sum"`            // of the bytes in the frames
	Line    string `json:"line,omitempty"` // of the first frame of a transcript: the uuid of its first line
	// Base is a piece of another version that it was compressed against.
	Base *base `json:"base,omitempty"`
}

// base names a piece of the session that a fork was made from.
type base struct {
	Dir     sesskeep.ProjectKey `json:"dir"`
	Session sesskeep.SessionID  `json:"session"`
	Version int                 `json:"version"`
	From    int64               `json:"from"`
	Size    int64               `json:"size"`
	SHA256  digest              `json:"sha256"`
}

// status says what the source of a version was when it was last copied, and how
// long the end of the version is.
type status struct {
	Version int         `json:"version"`
	End     int64       `json:"end"`
	Sum     uint32      `json:"sum"` // of the end
	Mark    homefs.Mark `json:"mark"`
	Time    time.Time   `json:"time"`
	// Young says that the source was written just before: its status proves
	// nothing yet.
	Young bool `json:"young,omitempty"`
}

type goneRecord struct {
	Name string    `json:"name"`
	Time time.Time `json:"time"` // when it was noticed
}

// digest is a SHA-256.
type digest [32]byte

func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != 2*len(d) {
		return errors.New("not a SHA-256")
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// formatLine is the line of a change.
func formatLine(records []record) ([]byte, error) {
	data, err := json.Marshal(records)
	if err != nil {
		return nil, err
	}
	return withSum(data), nil
}

// withSum is a line with its checksum before it.
func withSum(data []byte) []byte {
	line := fmt.Appendf(nil, "%08x ", homefs.Sum(0, data))
	return append(append(line, data...), '\n')
}

var errLine = errors.New("is not what was written")

// parseLine reads a line without its end.
func parseLine(line []byte) (records []record, err error) {
	data, err := checked(line)
	if err != nil {
		return nil, err
	}
	return records, json.Unmarshal(data, &records)
}

// checked is what a line says behind its checksum.
func checked(line []byte) ([]byte, error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) < 9 || line[8] != ' ' || !bytes.Equal(line[:8], fmt.Appendf(nil, "%08x", homefs.Sum(0, line[9:]))) {
		return nil, errLine
	}
	return line[9:], nil
}
