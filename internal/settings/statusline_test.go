package settings

import "testing"

const program = "/opt/bin/sesskeep"

// What wraps a status line gives the very bytes back, and knows itself again.
func TestStatusLine(t *testing.T) {
	for name, tt := range map[string]struct{ before, wrapped string }{
		"of the user's": {
			"{\n  \"a\": 1,\n  \"statusLine\": {\"type\": \"command\", \"command\": \"~/line.sh\", \"padding\": 0}\n}\n",
			"{\n  \"a\": 1,\n  \"statusLine\": {\"type\": \"command\", \"command\": \"/opt/bin/sesskeep usage statusline --wrap '~/line.sh'\", \"padding\": 0}\n}\n",
		},
		"with quotes and pipes": {
			`{"statusLine":{"command":"jq -r '.model' | tr a-z A-Z"}}`,
			`{"statusLine":{"command":"/opt/bin/sesskeep usage statusline --wrap 'jq -r '\\''.model'\\'' | tr a-z A-Z'"}}`,
		},
		"none": {"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"/opt/bin/sesskeep usage statusline\"\n  }\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			wrapped, err := WrapStatusLine([]byte(tt.before), program)
			if err != nil || string(wrapped) != tt.wrapped {
				t.Fatalf("wrapped: %v\n%s\nwant\n%s", err, wrapped, tt.wrapped)
			}
			if !HasStatusLine(wrapped) || HasStatusLine([]byte(tt.before)) {
				t.Error("it does not know itself")
			}
			if again, err := WrapStatusLine(wrapped, program); err != nil || string(again) != string(wrapped) {
				t.Errorf("wrapped twice: %v\n%s", err, again)
			}
			if back, err := UnwrapStatusLine(wrapped); err != nil || string(back) != tt.before {
				t.Errorf("unwrapped: %v\n%s", err, back)
			}
			if same, err := UnwrapStatusLine([]byte(tt.before)); err != nil || string(same) != tt.before {
				t.Errorf("what is not ours became %s", same)
			}
		})
	}
	for _, text := range []string{"[]", `{"statusLine": 1}`, `{"statusLine": {"type": "static"}}`, "{"} {
		if _, err := WrapStatusLine([]byte(text), program); err == nil {
			t.Errorf("%s can be wrapped", text)
		}
	}
	if _, err := WrapStatusLine(nil, "/opt/bin/other"); err == nil {
		t.Error("a program of another name would not be known again")
	}
}
