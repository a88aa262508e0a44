package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"sesskeep"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/regular"
)

// questionTime is how long a question stays in the inbox; it is less than the client
// waits for the hook.
const questionTime = 14 * time.Minute

// HookQuestion is the input of the hook that the client runs when it asks for
// permission.
type HookQuestion struct {
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Dir        string          `json:"cwd"`
	Tool       string          `json:"tool_name"`
	Input      json.RawMessage `json:"tool_input"`
}

// AnswerHook puts a question of a client into the inbox and returns the output of the
// hook. The output is nil, which decides nothing, unless somebody answers: the client
// asks in its terminal at the same time, and the first answer counts. It ignores
// clients of our own runs, whose holders ask.
func (r *Runs) AnswerHook(ctx context.Context, q HookQuestion) []byte {
	if !sesskeep.IsUUID(q.Session) || q.Tool == "" || !filepath.IsAbs(q.Dir) {
		return nil
	}
	own, err := r.List(ctx, Filter{Living: true, Session: q.Session})
	if err != nil || own.Total > 0 {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		awaitTerminalAnswer(ctx, q.Transcript)
		stop()
	}()
	a, err := holder.AwaitAnswer(ctx, r.store, holder.Question{
		Session: q.Session, Dir: q.Dir, Root: filepath.Dir(filepath.Dir(filepath.Dir(q.Transcript))), Tool: q.Tool, Input: q.Input, Wait: questionTime,
	})
	stop()
	<-done
	if err != nil || a == nil {
		return nil
	}
	return decision(a)
}

// decision returns the output of the hook for an answer.
func decision(a *launch.Answer) []byte {
	d := map[string]any{"behavior": a.Behavior}
	switch {
	case a.Behavior == launch.Deny && a.Message != "":
		d["message"] = a.Message
	case a.Behavior == launch.Allow && a.Input != nil:
		d["updatedInput"] = a.Input
	}
	data, err := json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PermissionRequest", "decision": d}})
	if err != nil {
		return nil
	}
	return data
}

// terminalPause is the time between checks for an answer in the terminal.
const terminalPause = 500 * time.Millisecond

// awaitTerminalAnswer returns when the transcript has a new tool result, or ctx
// ends: the user answered in the terminal, so our answer is no longer wanted. The
// client does not report that to its hooks.
func awaitTerminalAnswer(ctx context.Context, transcript string) {
	at := int64(0)
	if info, err := os.Stat(transcript); err == nil {
		at = info.Size()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(terminalPause):
		}
		f, err := regular.Open(transcript)
		if err != nil {
			continue // the file may not exist yet
		}
		more, err := io.ReadAll(io.NewSectionReader(f, at, 64<<20))
		_ = f.Close()
		if err == nil && bytes.Contains(more, []byte(`"type":"tool_result"`)) {
			return
		}
	}
}
