package price_test

import (
	"encoding/json"
	"math"
	"testing"

	"sesskeep/internal/price"
)

func TestAmount(t *testing.T) {
	const cent = price.Dollar / 100
	for _, tt := range []struct {
		amount      price.Amount
		text, exact string
		json        string
	}{
		{0, "$0.00", "$0.00", "0"},
		{1, "<$0.01", "$0.000000000001", "0.000000000001"},
		{cent/2 - 1, "<$0.01", "$0.004999999999", "0.004999999999"},
		{cent / 2, "$0.01", "$0.005", "0.005"},
		{46_480_000_000, "$0.05", "$0.04648", "0.04648"},
		{214 * cent, "$2.14", "$2.14", "2.14"},
		{2145*cent/10 - 1, "$2.14", "$2.144999999999", "2.144999999999"},
		{price.Dollar, "$1.00", "$1.00", "1"},
		{999*price.Dollar + 995*cent/10, "$1,000.00", "$999.995", "999.995"},
		{1_204_567 * price.Dollar, "$1,204,567.00", "$1204567.00", "1204567"},
		{math.MaxInt64, "$9,223,372.04", "$9223372.036854775807", "9223372.036854775807"},
	} {
		if got := tt.amount.String(); got != tt.text {
			t.Errorf("%d: got %s, want %s", int64(tt.amount), got, tt.text)
		}
		if got := tt.amount.Exact(); got != tt.exact {
			t.Errorf("%d exactly: got %s, want %s", int64(tt.amount), got, tt.exact)
		}
		if got, err := json.Marshal(tt.amount); err != nil || string(got) != tt.json {
			t.Errorf("%d as JSON: got %s, %v, want %s", int64(tt.amount), got, err, tt.json)
		}
	}
	if got := (214 * cent).USD(); got != 2.14 {
		t.Errorf("got %v dollars, want 2.14", got)
	}
}

// What does not fit stays at the end; it must never come round as a credit.
func TestAmountFull(t *testing.T) {
	const full = price.Amount(math.MaxInt64)
	if got := full.Add(1); got != full {
		t.Errorf("one more: got %d", got)
	}
	if got := full.Add(full); got != full {
		t.Errorf("twice: got %d", got)
	}
	if got := price.Rate(150e6).Of(math.MaxInt64); got != full {
		t.Errorf("all tokens: got %d", got)
	}
	if got := price.Rate(150e6).Of(-5); got != 0 {
		t.Errorf("fewer than none: got %d", got)
	}
}
