package price

import "testing"

// The first rows are what clients 1.0.128 to 2.1.325 say themselves in the
// modelUsage of their result lines.
func TestWindow(t *testing.T) {
	for _, tt := range []struct {
		model string
		used  int64
		want  int64
	}{
		{"claude-opus-5-5", 194_000, 1_000_000},
		{"claude-sonnet-5-5", 1, 1_000_000},
		{"claude-haiku-5-5", 1, 1_000_000},
		{"claude-haiku-4-5-20251001", 1, 200_000},
		{"claude-3-5-haiku-20241022", 1, 200_000},
		{"claude-opus-4-5", 1, 200_000},
		{"us.anthropic.claude-opus-4-1-20250805-v1:0", 1, 200_000},
		{"claude-sonnet-4-5-20250929[1m]", 1, 1_000_000},
		{"claude-sonnet-4-5-20250929", 194_000, 0}, // with the large window it has the same name
		{"claude-sonnet-4-5-20250929", 200_001, 1_000_000},
		{"claude-opus-5", 1, 0},
		{"gpt-oss", 1, 0},
		{"", 1, 0},
	} {
		if got := Window(tt.model, tt.used); got != tt.want {
			t.Errorf("%s with %d tokens: %d, want %d", tt.model, tt.used, got, tt.want)
		}
	}
}
