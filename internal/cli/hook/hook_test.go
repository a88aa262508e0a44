package hook

import "testing"

// The command survives the shell it is for, whatever the program's path.
func TestHookCommandLine(t *testing.T) {
	for _, c := range []struct{ system, path, want string }{
		{"linux", "/usr/bin/sesskeep", "/usr/bin/sesskeep hook report"},
		{"darwin", "/Users/o'neil/my apps/sesskeep", `'/Users/o'\''neil/my apps/sesskeep' hook report`},
		{"linux", "/a$(rm)/sesskeep", "'/a$(rm)/sesskeep' hook report"},
		{"windows", `C:\bin\sesskeep.exe`, "C:/bin/sesskeep.exe hook report"},
		{"windows", `C:\Program Files\sesskeep.exe`, `"C:/Program Files/sesskeep.exe" hook report`},
		{"windows", "C:\\a`b\\sesskeep.exe", "'C:/a`b/sesskeep.exe' hook report"},
	} {
		if got := programWord(c.path, c.system) + " hook report"; got != c.want {
			t.Errorf("%s %s: %s, want %s", c.system, c.path, got, c.want)
		}
	}
}
