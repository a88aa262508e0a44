package shelf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// lastHash is the hash of the last line of the journal, whole or not; empty: there
// is none.
func (j *Journal) lastHash() (string, error) {
	for line, err := range j.backward() {
		if err != nil || len(line) > 0 {
			return chainHash(line), err
		}
	}
	return "", nil
}

// chainHash is the hash by which the next line names one: that which it had before a purge.
func chainHash(line []byte) string {
	var a struct{ Was string }
	if json.Unmarshal(line, &a) == nil && a.Was != "" {
		return a.Was
	}
	return lineHash(line)
}

func lineHash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// chainFlaws finds the lines that do not follow from the one before. Journals that are
// older than the chain have lines without one, before all others.
func (j *Journal) chainFlaws() ([]Flaw, error) {
	var flaws []Flaw
	var later Act // the line that was read before
	chained := false
	redacted := map[string]string{} // by later purges
	for line, err := range j.backward() {
		if err != nil {
			return flaws, err
		}
		if len(line) == 0 {
			continue
		}
		if !intact(line) {
			flaws = append(flaws, Flaw{j.data.journal(), "a line is not what was written: " + lineName(line)})
		}
		if was := chainHash(line); was != lineHash(line) && redacted[was] != lineHash(line) {
			flaws = append(flaws, Flaw{j.data.journal(), "a line says that a purge emptied it, and no purge says so: " + lineName(line)})
		}
		if chained && later.Prev != chainHash(line) && (later.Prev != "" || linked(line)) {
			flaws = append(flaws, Flaw{j.data.journal(), fmt.Sprintf("what is before change %d (%s) was altered or taken out", later.ID, later.Verb)})
		}
		later, chained = Act{}, true
		_ = json.Unmarshal(line, &later) // a line that was cut off leaves later empty
		if later.ID == 0 {
			chained = false
		}
		for was, now := range later.Redacted {
			if redacted[was] == "" {
				redacted[was] = now
			}
		}
	}
	if chained && later.Prev != "" {
		flaws = append(flaws, Flaw{j.data.journal(), fmt.Sprintf("what is before change %d (%s) was taken out", later.ID, later.Verb)})
	}
	return flaws, nil
}

// lineName names the act of a line, if it can be read.
func lineName(line []byte) string {
	var a Act
	if json.Unmarshal(line, &a) != nil {
		return "the change that it is about is not known"
	}
	return fmt.Sprintf("change %d (%s)", a.ID, a.Verb)
}

// A line ends with a checksum of what is before it. Those that are older have none.
const sumStart, sumEnd = `,"sum":"`, `"}`

// withSum adds the checksum to a line.
func withSum(line []byte) []byte {
	body := bytes.TrimSuffix(line, []byte("}"))
	return fmt.Appendf(nil, "%s%s%s%s", body, sumStart, lineHash(body)[:16], sumEnd)
}

// intact reports whether a line has the checksum that it says, or none.
func intact(line []byte) bool {
	at := bytes.LastIndex(line, []byte(sumStart))
	if at < 0 {
		return true
	}
	sum, ended := bytes.CutSuffix(line[at+len(sumStart):], []byte(sumEnd))
	return !ended || string(sum) == lineHash(line[:at])[:16]
}

// linked reports whether a line names the one before.
func linked(line []byte) bool {
	var a Act
	return json.Unmarshal(line, &a) == nil && a.Prev != ""
}
