package claudehome

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// DefaultRetention is the number of days for which the client keeps transcripts
// unless a setting says otherwise.
const DefaultRetention = 30

// Retention says when the client deletes what it wrote.
//
// A sweep goes over the whole home, whichever project's session runs it: a
// short period in the settings of one project shortens the life of all.
type Retention struct {
	Days      int
	File      string    // the settings file that says so; empty for the default
	LastSweep time.Time // zero: not known
	// Problems are settings that cannot be read or make no sense, with their
	// whole paths. The client then pauses its sweeps; do not rely on that.
	Problems []sesskeep.Problem
}

// RetentionOptions names the settings besides the home's own.
type RetentionOptions struct {
	// Project is the .claude directory of the project whose sessions are meant.
	// For sessions started beside the home, in ~, it is the home itself: its
	// settings.local.json counts for them and for no others.
	Project *homefs.Home
	// Managed is the directory the system's managed-settings.json lies in.
	Managed *homefs.Home
}

const maxSettings = 4 << 20

// FindRetention finds the period that applies. The first of these that sets
// cleanupPeriodDays decides: managed settings, the project's
// settings.local.json, the project's settings.json, the home's settings.json.
// (The client also accepts settings on its command line, which no file contains.)
//
// The value must be a whole number of at least 1. If the file that decides has
// another one, the default stands and the Problem says why.
func FindRetention(s *homefs.Home, o RetentionOptions) Retention {
	r := Retention{Days: DefaultRetention}
	for _, source := range settingsFiles(s, o) {
		days, err := source.period()
		if errors.Is(err, errUnset) {
			continue
		}
		file := source.store.Path(source.name)
		if err != nil {
			r.Problems = append(r.Problems, unread(file, err))
		}
		if errors.Is(err, errPeriod) {
			break
		}
		if err == nil {
			r.Days, r.File = days, file
			break
		}
	}
	r.LastSweep = lastSweep(s, &r)
	return r
}

type settingsFile struct {
	store *homefs.Home
	name  string
}

// settingsFiles lists the files in the order in which they win.
func settingsFiles(s *homefs.Home, o RetentionOptions) []settingsFile {
	var files []settingsFile
	if o.Managed != nil {
		// Pieces add to the main file, each overriding those before it.
		pieces, _ := o.Managed.ReadDir("managed-settings.d")
		for _, e := range slices.Backward(pieces) {
			if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, settingsFile{o.Managed, path.Join("managed-settings.d", e.Name())})
			}
		}
		files = append(files, settingsFile{o.Managed, "managed-settings.json"})
	}
	if o.Project != nil {
		files = append(files, settingsFile{o.Project, "settings.local.json"}, settingsFile{o.Project, "settings.json"})
	}
	return append(files, settingsFile{s, "settings.json"})
}

var (
	errUnset  = errors.New("not set")
	errPeriod = errors.New("cleanupPeriodDays must be a whole number of at least 1")
)

// read gives the settings of a file by their keys, undecoded: some hold tokens. A
// file that is not there, or blank, sets nothing.
func (f settingsFile) read() (settings map[string]json.RawMessage, err error) {
	data, err := f.store.ReadFile(f.name, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data = cleanJSON(data); err != nil || len(data) == 0 {
		return nil, err
	}
	switch err := json.Unmarshal(data, &settings); {
	case err == nil:
		return settings, nil
	case json.Valid(data):
		return nil, errors.New("not a JSON object")
	default:
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset < int64(len(data)) {
			return nil, fmt.Errorf("not valid JSON at byte %d", syntax.Offset)
		}
		return nil, errors.New("not valid JSON: it ends too soon")
	}
}

// period takes cleanupPeriodDays out of a settings file.
func (f settingsFile) period() (int, error) {
	settings, err := f.read()
	if err != nil {
		return 0, err
	}
	value := settings["cleanupPeriodDays"]
	if len(value) == 0 || bytes.Equal(value, []byte("null")) {
		return 0, errUnset
	}
	days, err := strconv.ParseFloat(string(value), 64)
	if err != nil || days < 1 || days != math.Trunc(days) {
		return 0, errPeriod
	}
	return int(min(days, math.MaxInt32)), nil
}

// lastSweep reads .last-cleanup, in which the client notes the time.
func lastSweep(s *homefs.Home, r *Retention) time.Time {
	const name = ".last-cleanup"
	data, err := s.ReadFile(name, 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}
	}
	var at time.Time
	if err == nil {
		at, err = time.Parse(time.RFC3339, string(cleanJSON(data)))
	}
	if err != nil {
		r.Problems = append(r.Problems, unread(s.Path(name), err))
	}
	return at
}

// Expires returns the time from which a file last written at modified may be
// deleted.
// The client considers only that time. Its days have 24 hours.
func (r Retention) Expires(modified time.Time) time.Time {
	return modified.UTC().AddDate(0, 0, min(r.Days, never)).In(modified.Location())
}

// Cut is the reverse of Expires: it returns when a file that expires at a time was last written.
func (r Retention) Cut(expires time.Time) time.Time {
	return expires.UTC().AddDate(0, 0, -min(r.Days, never)).In(expires.Location())
}

// never is as many days as there can be: people write huge numbers, and no JSON time
// lies after year 9999.
const never = 2_900_000
