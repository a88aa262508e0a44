package claudehome_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/claudehome"
	"sesskeep/homefs"
)

func TestSettings(t *testing.T) {
	open := func(files map[string]string) *homefs.Home {
		t.Helper()
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := homefs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	home := open(map[string]string{"settings.json": "\ufeff" + `{
		"model": "opus", "cleanupPeriodDays": 99, "env": {"TOKEN_X": "sk-canary", "PLAIN": "sk-canary"},
		"apiKeyHelper": "echo sk-canary", "statusLine": {"type": "command", "command": "curl sk-canary"},
		"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "curl sk-canary"}]}]},
		"mcpServers": {"x": {"url": "http://sk-canary"}},
		"permissions": {"allow": ["Read"], "defaultMode": "plan"}}`})
	project := open(map[string]string{
		"settings.json":       `{"permissions": {"allow": ["Bash(ls)"]}, "model": "haiku"}`,
		"settings.local.json": `{"model": `,
	})
	list, problems := claudehome.Settings(home, claudehome.RetentionOptions{Project: project})
	var got []string
	for _, s := range list {
		file := filepath.Base(filepath.Dir(s.File)) == filepath.Base(project.Root())
		value := string(s.Value)
		if s.Hidden {
			value = "(hidden)"
		}
		got = append(got, fmt.Sprintf("%s=%s %v %d", s.Key, value, file, len(s.Overridden)))
	}
	want := `apiKeyHelper=(hidden) false 0
cleanupPeriodDays=99 false 0
env.PLAIN=(hidden) false 0
env.TOKEN_X=(hidden) false 0
hooks.Stop=(hidden) false 0
mcpServers.x.url=(hidden) false 0
model="haiku" true 1
permissions.allow=["Bash(ls)"] true 0
permissions.allow=["Read"] false 0
permissions.defaultMode="plan" false 0
statusLine.command=(hidden) false 0
statusLine.type="command" false 0`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if len(problems) != 1 || filepath.Base(problems[0].File) != "settings.local.json" {
		t.Errorf("problems %v", problems)
	}
	if same, _ := claudehome.Settings(home, claudehome.RetentionOptions{Project: home}); len(same) != 11 || len(same[6].Overridden) > 0 {
		t.Errorf("a project beside the home: %+v", same)
	}
	if strings.Contains(fmt.Sprint(list), "sk-canary") {
		t.Error("a secret is told")
	}
}
