package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

type apiOptions struct{ method, path, data string }

// APICommand is "api".
func APICommand(sh *shell.Shell) *cobra.Command {
	var o apiOptions
	cmd := &cobra.Command{
		Use: "api [METHOD] PATH", Short: "Send a request to the running server",
		Long: `Send a request to your running server and print the answer. It needs no token: the server
knows that it is you.

Exit codes: 0 answered · 2 the request is not valid · 3 no server is running, or what was
asked for does not exist · 4 not allowed · 5 in conflict with others · 1 anything else`,
		Example: `  sesskeep api /sessions/count
  sesskeep api GET "/search?q=half+line" --jq .total
  sesskeep api PUT /sessions/3987 --data '{"starred":true}'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return fail.Usage("api: which path?", "for example: sesskeep api /sessions/count")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.method, o.path = http.MethodGet, args[len(args)-1]
			if len(args) == 2 {
				o.method = strings.ToUpper(args[0])
			} else if o.data != "" {
				o.method = http.MethodPost
			}
			return runAPI(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().StringVar(&o.data, "data", "", "send `JSON` as the body")
	return cmd
}

func runAPI(ctx context.Context, sh *shell.Shell, o apiOptions) error {
	if !strings.HasPrefix(o.path, "/") {
		return fail.Usage(fmt.Sprintf("api: %q does not begin with a slash", o.path), "for example: sesskeep api /sessions/count")
	}
	server, err := runningServer(sh)
	if err != nil {
		return err
	}
	answer, err := server.ask(ctx, o.method, o.path, o.data)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if sh.Out.Flags.JQ != "" && isJSON(answer) {
		var value any
		if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		return sh.Out.FilterJSON(value)
	}
	if err := copyAnswer(sh, answer); err != nil {
		return err
	}
	return apiVerdict(answer.StatusCode)
}

// copyAnswer writes an answer as it is. A terminal gets JSON that means the same,
// text that is safe there, and nothing else.
func copyAnswer(sh *shell.Shell, answer *http.Response) error {
	kind := mediaType(answer)
	switch {
	case !sh.Stdout.TTY():
	case strings.HasSuffix(kind, "/json"), strings.HasSuffix(kind, "+json"):
		doc, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		_, err = sh.Stdout.Write(output.Escape(doc))
		return err
	case kind != "" && kind != "application/x-ndjson" && !strings.HasPrefix(kind, "text/"):
		return fail.Usage("the answer is "+kind+", which a terminal cannot show", "send it to a file: sesskeep api … > FILE")
	}
	_, err := io.Copy(sh.Stdout, answer.Body)
	return err
}

func mediaType(answer *http.Response) string {
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	return kind
}

// isJSON reports whether an answer is one that was asked for, in JSON. An error is
// shown as it is.
func isJSON(answer *http.Response) bool {
	kind := mediaType(answer)
	return answer.StatusCode < 300 && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

// apiVerdict is the exit code of a status; the answer has said why.
func apiVerdict(status int) error {
	switch {
	case status < 400:
		return nil
	case status == http.StatusNotFound:
		return fail.Exit(3)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fail.Exit(4)
	case status == http.StatusConflict:
		return fail.Exit(5)
	case status < 500:
		return fail.Exit(2)
	}
	return fail.Exit(1)
}
