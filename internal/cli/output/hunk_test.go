package output

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep/internal/acts"
)

// TestSettingsDiff shows what changes and no secrets, also of a file on one line.
func TestSettingsDiff(t *testing.T) {
	c := acts.Change{
		Before: []byte(`{"env":{"ANTHROPIC_AUTH_TOKEN":"sk-x","FOO":"sk-y"},"apiKey":"sk-z","model":"opus"}`),
		After:  []byte(`{"env":{"ANTHROPIC_AUTH_TOKEN":"sk-x","FOO":"sk-y"},"apiKey":"sk-z","model":"opus","hooks":{"Stop":[]}}`),
	}
	text := fmt.Sprint(SettingsDiff(c))
	if strings.Contains(text, "sk-") || !strings.Contains(text, `"model":"opus","hooks":{"Stop"`) {
		t.Error(text)
	}
}
