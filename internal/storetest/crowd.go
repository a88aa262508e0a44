package storetest

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// crowdFolder is how many sessions of a crowd lie in one project.
const crowdFolder = 100

// Crowd writes a home with very many small sessions, each a prompt and its answer,
// or finds the one that an earlier run has written into the same directory.
func Crowd(dir string, files int) (home string, err error) {
	home = filepath.Join(dir, fmt.Sprintf("crowd-%d", files))
	done := filepath.Join(home, "done")
	if _, err := os.Stat(done); err == nil {
		return home, nil
	}
	for n := 0; n < files; n++ {
		project := filepath.Join(home, "projects", fmt.Sprintf("-w-crowd-%05d", n/crowdFolder))
		if n%crowdFolder == 0 {
			if err := os.MkdirAll(project, 0o755); err != nil {
				return "", err
			}
		}
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(n)*2654435761, n)
		if err := os.WriteFile(filepath.Join(project, id+".jsonl"), crowdTalk(id, n), 0o600); err != nil {
			return "", err
		}
	}
	return home, os.WriteFile(done, nil, 0o600)
}

func crowdTalk(id string, n int) []byte {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * 20 * time.Second).Format("2006-01-02T15:04:05.000Z")
	return fmt.Appendf(nil, `{"type":"user","uuid":"a%[1]s","parentUuid":null,"cwd":"/w/crowd/%05[2]d","sessionId":%[1]q,"timestamp":%[3]q,"version":"2.1.325","message":{"role":"user","content":"Question %[4]d of the crowd"}}
{"type":"assistant","uuid":"b%[1]s","parentUuid":"a%[1]s","cwd":"/w/crowd/%05[2]d","sessionId":%[1]q,"timestamp":%[3]q,"version":"2.1.325","message":{"id":"msg_%[4]d","role":"assistant","model":"claude-opus-5-5","stop_reason":"end_turn","content":[{"type":"text","text":"Answer %[4]d"}],"usage":{"input_tokens":10,"output_tokens":5}}}
`, id, n/crowdFolder, at, n)
}
