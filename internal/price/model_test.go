package price_test

import (
	"testing"

	"sesskeep"
	"sesskeep/internal/price"
)

func TestNormalize(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{"claude-opus-5-5", "claude-opus-5-5"},
		{"Claude-Opus-5-5", "claude-opus-5-5"},
		{" claude-opus-5-5\n", "claude-opus-5-5"},
		{"claude-opus-5-5[1m]", "claude-opus-5-5"},
		{"claude-opus-5-5 [1m]", "claude-opus-5-5"},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5"},
		{"claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5"},
		{"claude-3-5-sonnet-latest", "claude-3-5-sonnet"},
		{"claude-3-5-sonnet-20241022-latest", "claude-3-5-sonnet"},
		{"claude-opus-4-0", "claude-opus-4-0"},

		{"anthropic/claude-opus-4.8", "claude-opus-4-8"},
		{"anthropic/claude-3.7-sonnet:thinking", "claude-3-7-sonnet"},
		{"openrouter/anthropic/claude-haiku-4.5", "claude-haiku-4-5"},
		{"anthropic:claude-opus-5", "claude-opus-5"},
		{"vertex_ai/claude-sonnet-4@20250514", "claude-sonnet-4"},
		{"anthropic/claude-opus-4.8-fast", "claude-opus-4-8-fast"},

		{"anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku"},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", "claude-sonnet-4-5"},
		{"global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"},
		{"jp.anthropic.claude-opus-5-5", "claude-opus-5-5"},
		{"bedrock/eu.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet"},
		{"anthropic.claude-3-sonnet-20240229-v1:0:200k", "claude-3-sonnet"},
		{"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"},
		{"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4"},

		{"claude-opus-4-5@20251101", "claude-opus-4-5"},
		{"claude-haiku-4-5@default", "claude-haiku-4-5"},
		{"claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"},
		{"publishers/anthropic/models/claude-sonnet-4-6", "claude-sonnet-4-6"},

		{"openai/gpt-5.2", "gpt-5-2"},
		{"deepseek-v3", "deepseek-v3"},
		{"<synthetic>", "<synthetic>"},
		{"", ""},
		{"/", ""},
	} {
		if got := price.Normalize(tt.model); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.model, got, tt.want)
		}
	}
}

// A name goes with the longest row it goes on from, but never with another
// version of the model.
func TestLookup(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{"claude-opus-4", "claude-opus-4"},
		{"claude-opus-4-0", "claude-opus-4"},
		{"claude-opus-4-20250514-thinking", "claude-opus-4"},
		{"claude-opus-4-1-20250805", "claude-opus-4-1"},
		{"claude-opus-4-9", ""},
		{"claude-opus-4-10", ""},
		{"claude-opus-4-55", ""},
		{"claude-opus-5-5-preview", "claude-opus-5-5"},
		{"claude-opus-5-50", ""},
		{"claude-opus-55", ""},
		{"claude-opus-6", ""},
		{"claude-opus", ""},
		{"claude-sonnet-5-7", ""},
		{"claude-sonnet-4.5:thinking", "claude-sonnet-4-5"},
		{"claude-fable-5-1-20260901", "claude-fable-5-1"},
		{"claude-mythos-preview", ""},
		{"claude-3-5-sonnet-20240620", "claude-3-5-sonnet"},
		{"claude-3", ""},
		{"claude-2.1", ""},
		{"claude-v2", ""},
		{"not-claude-opus-5", ""},
		{"opus", ""},
	} {
		p, _ := price.Default().Lookup(tt.model, on(t, "2026-10-10"), sesskeep.Usage{})
		if p.Model != tt.want {
			t.Errorf("%s: got %q, want %q", tt.model, p.Model, tt.want)
		}
	}
}

func FuzzLookup(f *testing.F) {
	for _, seed := range []string{
		"claude-opus-5-5[1m]", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-opus-4@20250514",
		"anthropic/claude-opus-4.8-fast", "<synthetic>", "-", ".claude-", "claude--v1-latest", "İ/\xff:claude-",
	} {
		f.Add(seed, int64(5), false)
	}
	f.Fuzz(func(t *testing.T, model string, tokens int64, fast bool) {
		name := price.Normalize(model)
		if again := price.Normalize(name); again != name {
			t.Errorf("%q becomes %q, and that %q", model, name, again)
		}
		u := sesskeep.Usage{Input: tokens, Output: tokens, CacheRead: tokens, Fast: fast}
		amount, p, ok := price.Default().Cost(model, on(t, "2026-10-10"), u)
		if amount < 0 || ok && amount == 0 && tokens > 0 && model != sesskeep.SyntheticModel {
			t.Errorf("%q, %d tokens: %s by %s", model, tokens, amount.Exact(), p)
		}
		if q, found := price.Default().Lookup(name, on(t, "2026-10-10"), u); ok && p.Model != "" && (!found || q != p) {
			t.Errorf("%q is priced by %s, but %q by %s", model, p, name, q)
		}
	})
}
