package settings

import "testing"

// A number of days changes that number and nothing else.
func TestSetPeriod(t *testing.T) {
	for in, want := range map[string]string{
		"":   "{\n  \"cleanupPeriodDays\": 90\n}\n",
		"{}": "{\n  \"cleanupPeriodDays\": 90\n}",
		"{\n\t\"a\": 1,\n\t\"cleanupPeriodDays\" : 30\n}\n": "{\n\t\"a\": 1,\n\t\"cleanupPeriodDays\" : 90\n}\n",
		`{"cleanupPeriodDays":"x","b":[1, 2]}`:              `{"cleanupPeriodDays":90,"b":[1, 2]}`,
		"{\n    \"b\": {}\n}":                               "{\n    \"b\": {},\n    \"cleanupPeriodDays\": 90\n}",
	} {
		got, err := SetPeriod([]byte(in), 90)
		if err != nil || string(got) != want {
			t.Errorf("%q: %q (%v), want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"[]", "{", `"x"`} {
		if got, err := SetPeriod([]byte(in), 90); err == nil {
			t.Errorf("%q became %q", in, got)
		}
	}
	if _, err := SetPeriod(nil, 0); err == nil {
		t.Error("0 days were set")
	}
}
