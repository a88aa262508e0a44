// Package model has the commands that make history known to models: mcp, which offers it by
// the Model Context Protocol, and context, which prints what a new session must know of an
// old one.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/mcp"
	"sesskeep/internal/money"
	"sesskeep/internal/recall"

	"github.com/spf13/cobra"
)

type mcpOptions struct{ all bool }

// mcpMemory is the memory limit of the server: one runs beside each client, so it is lower than
// [shell.UsualMemory].
const mcpMemory = "20971520" // 20 MiB

// MCPCommand is "mcp" with its subcommands.
func MCPCommand(sh *shell.Shell) *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use: "mcp", Short: "Let Claude ask its own history, by the Model Context Protocol", Args: shell.NoArgs,
		Annotations: map[string]string{shell.MemoryNote: mcpMemory},
		Long: `Answer a client of the Model Context Protocol on standard input and output. Claude Code
starts it by itself once "mcp install" has entered it.

It has tools that search earlier sessions, read them, list the changes of a file, and say
what was decided, what runs and what was used. They only read, and hide secrets. They
know the project of the working directory; --all-projects lets them know all of them.
Where "sesskeep serve" runs with the same homes, it answers in its place. Each question
is in "sesskeep log", without its words.`,
		Example: `  sesskeep mcp install
  sesskeep mcp install --scope project
  sesskeep mcp --all-projects < requests.jsonl`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.all, "all-projects", false, "answer about all projects, not only that of the working directory")
	cmd.AddCommand(installCommand(sh), pluginCommand(sh))
	return cmd
}

func runMCP(ctx context.Context, sh *shell.Shell, o mcpOptions) error {
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	if _, err := sh.Roots(); err != nil {
		return err
	}
	s := &source{sh: sh, prices: prices}
	if !o.all {
		s.who.Dir = sh.Dir
	}
	options := mcp.Options{Open: s.open, Caller: s.who, Note: s.note, Elsewhere: s.elsewhere, Version: shell.Version().Version}
	err = mcp.Serve(ctx, options, io.NopCloser(sh.Stdin), stayingOpen{sh.Stdout})
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return nil // the client is gone
	}
	return err
}

// stayingOpen is standard output, which the command does not close.
type stayingOpen struct{ io.Writer }

func (stayingOpen) Close() error { return nil }

// source is where the answers come from.
type source struct {
	sh     *shell.Shell
	prices *money.Prices
	who    recall.Caller
	mu     sync.Mutex
}

// patience is how long a question waits for the index. The client gives up after a minute.
const patience = 20 * time.Second

// open opens the homes for one question. The process may wait hours for the next one, and
// keeps no file or lock meanwhile.
func (s *source) open(context.Context) (*recall.Recall, func(), error) {
	s.mu.Lock()
	a, err := s.sh.OpenApart(app.Options{Patience: patience, FirstPatience: patience})
	if err != nil {
		s.mu.Unlock()
		return nil, nil, err
	}
	return Recall(a, s.prices), func() {
		s.sh.Miss(a.Unread()...)
		_ = a.Close() // what it read is kept, or read again
		s.mu.Unlock()
		debug.FreeOSMemory()
	}, nil
}

// Recall is what answers questions from open homes.
func Recall(a *app.App, prices *money.Prices) *recall.Recall {
	room := *a.Recall
	room.Prices = prices
	return &room
}

// note writes down in the journal that something was asked.
func (s *source) note(ctx context.Context, what string) error {
	book, err := s.sh.Shelf()
	if err != nil {
		return err
	}
	j := acts.Journal{Shelf: book, Touch: func() {}}
	return j.NoteAccess(ctx, acts.Doing{Actor: shell.Actor(s.sh)}, "mcp", what)
}

// elsewhere asks the server that runs, where it shows the same homes.
func (s *source) elsewhere(ctx context.Context, tool string, arguments any) (string, bool, error) {
	roots, err := s.sh.Roots()
	if err != nil || !serve.Shows(s.sh, s.sh.Absolute(roots)) {
		return "", false, nil
	}
	path := "/api/v1/mcp"
	if s.who.Dir != "" {
		path += "?" + url.Values{"project": {s.who.Dir}}.Encode()
	}
	var answer json.RawMessage
	if err := serve.Call(ctx, s.sh, "POST", path, mcp.Request(tool, arguments), &answer); err != nil {
		return "", false, ctx.Err() // this process answers instead
	}
	return mcp.Response(answer)
}
