package show

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/export"
	"sesskeep/internal/talk"

	"github.com/spf13/cobra"
)

type exportOptions struct {
	address, format, file string
	doc                   talk.ExportOptions
}

// ExportCommand is "export".
func ExportCommand(sh *shell.Shell) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: "export SESSION", Short: "Write a session as Markdown, text, JSON or its own lines",
		Long: `Write a session as a document: Markdown or plain text to read, JSON for programs,
or jsonl, the transcript itself, byte for byte. Without :LEAF it is the conversation that
"claude --resume" would continue.

Nothing that was said, given to a tool or answered by one is removed, and no secret is
blacked out: look through the document before you share it. What sub-agents did comes
with --agents; what only the client itself reads is in jsonl alone.`,
		Example: `  sesskeep export 3987 > talk.md
  sesskeep export 3987 -o talk.json
  sesskeep export 3987:fb6d --no-tools --no-thinking
  sesskeep export @last --to text --agents
  sesskeep export 3987 --jq '.messages[] | select(.role == "user") | .content'`,
		Args: shell.OneArg("session"), ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = args[0]
			return runExport(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "to", "", "`FORMAT`: markdown, text, json or jsonl; default: what the name of the file says, or markdown")
	f.StringVarP(&o.file, "output", "o", "", "write to `FILE`, which must not exist yet")
	f.BoolVar(&o.doc.All, "all-conversations", false, "every conversation, one after the other")
	f.BoolVar(&o.doc.NoThinking, "no-thinking", false, "leave out thinking")
	f.BoolVar(&o.doc.NoTools, "no-tools", false, "leave out tool calls and their results")
	f.BoolVar(&o.doc.Agents, "agents", false, "include what sub-agents did")
	f.BoolVar(&o.doc.Blocks, "blocks", false, "in JSON: write content as blocks, not as text")
	shell.Complete(cmd, "to", "markdown", "text", "json", "jsonl")
	return cmd
}

func runExport(ctx context.Context, sh *shell.Shell, o exportOptions) error {
	if err := o.checkOutput(sh); err != nil {
		return err
	}
	format, err := o.formatOf()
	if err != nil {
		return fail.Usage("--to: "+err.Error(), "for example: --to markdown")
	}
	o.doc.Format = format
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	if o.file != "" {
		return exportTo(ctx, sh, a, target, o)
	}
	if sh.Out.Flags.JQ != "" {
		return filterDocument(ctx, sh, a, target, o)
	}
	if sh.Out.Screen.TTY {
		return fail.Usage("a document can contain bytes that control the terminal", "write it to a file: -o talk."+format.Ending())
	}
	return a.Talk.Export(ctx, sh.Stdout, target, o.doc)
}

// checkOutput lets --json, --jq and --format json choose the format, and rejects what a
// document has no form for.
func (o *exportOptions) checkOutput(sh *shell.Shell) error {
	flags := sh.Out.Flags
	switch {
	case flags.Format != "" && flags.Format != "json", flags.JSONL:
		return fail.Usage("export writes a document, not a list", "choose its format with --to: markdown, text, json or jsonl")
	case flags.JSON != "" && flags.JSON != "*":
		return fail.Usage("--json: a document has no fields to choose", "pick from it with --jq, such as --jq '.messages[].content'")
	case !sh.Out.JSON() && flags.Format == "":
		return nil
	case o.format != "" && o.format != "json":
		return fail.Usage("--to "+o.format+" cannot be combined with --json, --jq or --format", "leave one of them out")
	case flags.JQ != "" && o.file != "":
		return fail.Usage("--jq writes to standard output", "leave out -o, or redirect the output")
	}
	o.format = "json"
	return nil
}

// filterDocument writes the result of --jq over the document.
func filterDocument(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target, o exportOptions) error {
	var text bytes.Buffer
	if err := a.Talk.Export(ctx, &text, t, o.doc); err != nil {
		return err
	}
	var document any
	if err := json.Unmarshal(text.Bytes(), &document); err != nil {
		return err
	}
	return sh.Out.FilterJSON(document)
}

// formatOf is the format that was asked for, by a word or by a name.
func (o *exportOptions) formatOf() (export.Format, error) {
	word := o.format
	if word == "" {
		word = "markdown"
		if ending := filepath.Ext(o.file); ending != "" {
			if f, err := talk.ParseFormat(ending[1:]); err == nil {
				return f, nil
			}
		}
	}
	return talk.ParseFormat(word)
}

// exportTo writes a new file, whole or not at all.
func exportTo(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target, o exportOptions) (err error) {
	path := sh.Absolute([]string{o.file})[0]
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fail.Hint(err, "choose another name, or remove that file first")
	}
	if errors.Is(err, os.ErrNotExist) {
		return fail.Hint(err, "create that directory first, or choose another")
	}
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path)
		}
	}()
	if err := a.Talk.Export(ctx, f, t, o.doc); err != nil {
		return err
	}
	sh.Note("wrote " + o.file)
	return nil
}
