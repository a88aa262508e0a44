// Package document has the command export, which writes one session as a document, or many
// into a folder.
package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/export"
	"sesskeep/internal/redact"
	"sesskeep/internal/talk"

	"github.com/spf13/cobra"
)

type exportOptions struct {
	address, format, file string
	doc                   talk.ExportOptions
	into                  intoOptions
}

// ExportCommand is "export".
func ExportCommand(sh *shell.Shell) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: "export SESSION | --into DIR [SESSION...]", Short: "Write a session as Markdown, HTML, text, JSON or its own lines",
		Long: `Write a session as a document: Markdown, HTML or plain text to read, JSON for programs,
or jsonl, the transcript itself, byte for byte. Without :LEAF it is the conversation that
"claude --resume" would continue. #UUID..#UUID behind the session is the stretch from one
message to another; without one of the two it is from the start, or to the end.

Marks such as [github-token:1] stand in the place of what looks like a secret; the same
secret has the same mark. This is best effort: look through the document before you share
it. With --no-redact nothing is removed, and neither is with --to jsonl, which therefore
holds every secret of the session. The keys redact.* of config.toml hide more. What
sub-agents did comes with --agents; what only the client itself reads is in jsonl alone.

--into, or -o with a folder, writes many sessions, one file for each: those you name, or
those that "ls" lists with the same flags. Written again, only what changed is written;
with --follow it is kept up to date until you interrupt it. As HTML the folder is a site:
open its index.html.`,
		Example: `  sesskeep export 3987 > talk.md
  sesskeep export 3987 -o talk.json
  sesskeep export 3987 -o talk.html --agents --replay
  sesskeep export 3987:fb6d --no-tools --no-thinking
  sesskeep export 3987#2f1c..#88aa -o stretch.md
  sesskeep export @last --to text --agents
  sesskeep export @last --no-redact -o for-me.md
  sesskeep export --into notes --all --since 30d
  sesskeep export --into site --to html -p parser --agents
  sesskeep export --into notes --all --follow
  sesskeep export 3987 --jq '.messages[] | select(.role == "user") | .content'`,
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.chooseFolder(sh)
			if o.into.dir != "" {
				return exportInto(cmd.Context(), sh, args, o)
			}
			if err := o.checkOne(cmd, args); err != nil {
				return err
			}
			o.address = args[0]
			return runExport(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "to", "", "`FORMAT`: markdown, html, text, json or jsonl; default: what the name of the file says, or markdown")
	f.StringVarP(&o.file, "output", "o", "", "write to `FILE`, which must not exist yet, or into a folder, as --into does")
	registerContent(cmd, &o.doc)
	f.BoolVar(&o.doc.Replay, "replay", false, "in HTML: controls that play the session on its time axis")
	f.BoolVar(&o.doc.Plain, "no-redact", false, "leave secrets in the document")
	f.BoolVar(&o.doc.Blocks, "blocks", false, "in JSON: write content as blocks, not as text")
	f.StringVar(&o.into.dir, "into", "", "write sessions into the folder `DIR`, one file for each")
	f.BoolVar(&o.into.follow, "follow", false, "with --into: keep the folder up to date until interrupted")
	o.into.choose.Register(cmd)
	shell.Complete(cmd, "to", "markdown", "html", "text", "json", "jsonl")
	return cmd
}

// registerContent adds the flags that choose what of a session is in a document.
func registerContent(cmd *cobra.Command, o *talk.ExportOptions) {
	f := cmd.Flags()
	f.BoolVar(&o.All, "all-conversations", false, "every conversation, one after the other")
	f.BoolVar(&o.NoThinking, "no-thinking", false, "leave out thinking")
	f.BoolVar(&o.NoTools, "no-tools", false, "leave out tool calls and their results")
	f.BoolVar(&o.Agents, "agents", false, "include what sub-agents did")
}

func runExport(ctx context.Context, sh *shell.Shell, o exportOptions) error {
	if err := o.checkOutput(sh); err != nil {
		return err
	}
	if err := o.chooseFormat(); err != nil {
		return err
	}
	format := o.doc.Format
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	if o.doc.Plain {
		if err := a.Acts.NoteExport(ctx, acts.Doing{Actor: shell.Actor(sh)}, target.Store, target.Ref, o.doc.What()); err != nil {
			return err
		}
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

// chooseFolder takes the name of a folder after -o as that after --into.
func (o *exportOptions) chooseFolder(sh *shell.Shell) {
	if o.file == "" || o.into.dir != "" {
		return
	}
	info, err := os.Stat(sh.Absolute([]string{o.file})[0])
	if strings.HasSuffix(o.file, "/") || err == nil && info.IsDir() {
		o.into.dir, o.file = o.file, ""
	}
}

// checkOutput lets --json, --jq and --format json choose the format, and rejects what a
// document has no form for.
func (o *exportOptions) checkOutput(sh *shell.Shell) error {
	flags := sh.Out.Flags
	switch {
	case flags.Format != "" && flags.Format != "json", flags.JSONL:
		return fail.Usage("export writes a document, not a list", "choose its format with --to: markdown, html, text, json or jsonl")
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

// checkOne rejects what only goes with --into.
func (o *exportOptions) checkOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fail.Usage("several sessions are several files", "name a folder for them: -o DIR/")
	}
	if err := shell.OneArg("session")(cmd, args); err != nil {
		return err
	}
	choosing := append(list.FieldFlags(), "filter", "archived", "follow", "project", "scope", "limit", "since", "until", "on")
	for _, name := range choosing {
		if cmd.Flags().Changed(name) {
			return fail.Usage("--"+name+" goes with --into", "name a folder: --into DIR")
		}
	}
	return nil
}

// chooseFormat puts the format that is asked for into the options.
func (o *exportOptions) chooseFormat() error {
	format, err := o.formatOf()
	if err != nil {
		return fail.Usage("--to: "+err.Error(), "for example: --to markdown")
	}
	if o.doc.Replay && format != export.HTML {
		return fail.Usage("only a page of HTML can be played", "leave out --replay, or choose --to html")
	}
	o.doc.Format = format
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
	f, err := newFile(sh.Absolute([]string{o.file})[0])
	if err != nil {
		return err
	}
	defer func() { err = closeWhole(f, err) }()
	o.doc.OnHidden = func(secrets []redact.Count) { sh.Note("wrote " + o.file + o.hidden(secrets)) }
	return a.Talk.Export(ctx, f, t, o.doc)
}

// newFile creates a file that must not exist yet.
func newFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fail.Hint(err, "choose another name, or remove that file first")
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fail.Hint(err, "create that directory first, or choose another")
	}
	return f, err
}

// closeWhole closes a new file, and removes it if it could not be written.
func closeWhole(f *os.File, err error) error {
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// hidden says what marks stand for in a document, or that it has everything.
func (o *exportOptions) hidden(secrets []redact.Count) string {
	if !o.doc.Redacted() {
		return "; it holds every secret of the session"
	}
	if len(secrets) == 0 {
		return ""
	}
	return "; marks stand in the place of secrets: " + redact.Summary(secrets)
}
