package host

import (
	"errors"
	"os/exec"
	"runtime"
)

// ErrNoBrowser says that this session has no screen, or no program that opens
// addresses.
var ErrNoBrowser = errors.New("no browser can be opened from here")

// Browse opens an address in the user's browser. It does not wait for it.
func Browse(url string, getenv func(string) string) error {
	argv := browser(runtime.GOOS, getenv)
	if argv == nil {
		return ErrNoBrowser
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return ErrNoBrowser
	}
	cmd := exec.Command(path, append(argv[1:], url)...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it ends soon, or with us
	return nil
}

// browser is what opens an address; nil where there is no screen to show it on.
func browser(system string, getenv func(string) string) []string {
	switch system {
	case "darwin":
		if getenv("SSH_CONNECTION") != "" {
			return nil // it would open on a screen that no user sees
		}
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	switch {
	case getenv("WSL_DISTRO_NAME") != "":
		return []string{"rundll32.exe", "url.dll,FileProtocolHandler"}
	case getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "":
		return nil
	}
	return []string{"xdg-open"}
}
