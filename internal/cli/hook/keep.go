package hook

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

func hookKeepCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "keep", Short: "Copy the session that Claude Code names (it runs this as a hook)",
		Long: `Copy the session whose end or compaction Claude Code reports on standard input, if
copies are kept. It prints nothing and never fails, because either would disturb the
session.`,
		Example:            "  sesskeep hook keep < hook.json",
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer func() { _ = recover() }() // as with reports
			runHookKeep(cmd.Context(), sh)
			return nil
		},
	}
}

// hookKeepTime is less than the client waits for the hook.
const hookKeepTime = 50 * time.Second

// runHookKeep stays silent whatever happens.
func runHookKeep(ctx context.Context, sh *shell.Shell) {
	var report struct {
		Session    string `json:"session_id"`
		Transcript string `json:"transcript_path"`
	}
	input, err := readWithin(sh.Stdin, maxHookInput, hookTime)
	if err != nil || json.Unmarshal(input, &report) != nil || !sesskeep.IsUUID(report.Session) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hookKeepTime)
	defer cancel()
	// The home is the one that the transcript lies in: <home>/projects/<dir>/<file>.
	if root := filepath.Dir(filepath.Dir(filepath.Dir(report.Transcript))); filepath.IsAbs(report.Transcript) && len(sh.Flags.ClaudeDirs) == 0 {
		sh.Flags.ClaudeDirs = []string{root}
	}
	sh.Out.Flags.Quiet = true
	if a, err := sh.OpenWith(app.Options{}); err == nil {
		_ = a.Keep.Hooked(ctx, sesskeep.SessionID(report.Session))
	}
}

// readWithin reads all there is, and gives up after a while: a terminal never
// ends.
func readWithin(r io.Reader, limit int64, patience time.Duration) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit))
		done <- result{data, err}
	}()
	select {
	case got := <-done:
		return got.data, got.err
	case <-time.After(patience):
		return nil, context.DeadlineExceeded
	}
}
