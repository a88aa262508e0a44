package counted

import (
	"bufio"
	"encoding/json"
	"os"
)

// Contexts reads how many tokens the model had before each answer of a transcript, in the order in
// which they were written. Agents that wrote into the file of a session are left out.
func Contexts(path string, agent bool) (list []int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	seen := map[string]bool{}
	for lines.Scan() {
		var l struct {
			Type, UUID string
			Sidechain  bool `json:"isSidechain"`
			Message    struct {
				ID, Model string
				Usage     struct {
					Input int64 `json:"input_tokens"`
					Read  int64 `json:"cache_read_input_tokens"`
					Wrote int64 `json:"cache_creation_input_tokens"`
				}
			}
		}
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.Type != "assistant" || l.Sidechain != agent || l.Message.Model == "<synthetic>" {
			continue
		}
		u := l.Message.Usage
		if n := u.Input + u.Read + u.Wrote; n > 0 && !seen[l.Message.ID] {
			list = append(list, n)
		}
		seen[l.Message.ID] = true
	}
	return list, lines.Err()
}
