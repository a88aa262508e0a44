package serve

import (
	"encoding/xml"
	"fmt"
	"io"
	"runtime"
	"strings"

	"sesskeep/internal/cli/shell"
)

// printUnit writes what lets the system start the server with the user's session:
// a unit of systemd, or a property list of launchd.
func printUnit(sh *shell.Shell, args []string) error {
	program, err := sh.Program()
	if err != nil {
		return err
	}
	write := systemdUnit
	if runtime.GOOS == "darwin" {
		write = launchdUnit
	}
	return write(sh.Stdout, append([]string{program, "serve"}, args...))
}

func systemdUnit(w io.Writer, argv []string) error {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = unitQuote(word)
	}
	_, err := fmt.Fprintf(w, `# ~/.config/systemd/user/sesskeep.service
# then: systemctl --user enable --now sesskeep
[Unit]
Description=sesskeep, the sessions of Claude Code over HTTP

[Service]
ExecStart=%s
Restart=on-failure
# The runs continue without the server.
KillMode=process
NoNewPrivileges=true

[Install]
WantedBy=default.target
`, strings.Join(words, " "))
	return err
}

// unitQuote writes a word so that systemd takes it as it is.
func unitQuote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(word) + `"`
}

func launchdUnit(w io.Writer, argv []string) error {
	var words strings.Builder
	for _, word := range argv {
		words.WriteString("    <string>")
		if err := xml.EscapeText(&words, []byte(word)); err != nil {
			return err
		}
		words.WriteString("</string>\n")
	}
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ~/Library/LaunchAgents/sesskeep.plist, then: launchctl load that file -->
<plist version="1.0">
<dict>
  <key>Label</key><string>sesskeep</string>
  <key>ProgramArguments</key>
  <array>
%s  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>AbandonProcessGroup</key><true/>
</dict>
</plist>
`, words.String())
	return err
}
