package sesskeep_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sesskeep"
	"sesskeep/homefs"
)

const keyID = "c9cf1234-0000-4000-8000-000000000001"

func TestParseKey(t *testing.T) {
	for _, tt := range []struct {
		text string
		want sesskeep.Key
	}{
		{keyID, sesskeep.Key{Session: keyID}},
		{keyID + "/a1b2", sesskeep.Key{Session: keyID, Agent: "a1b2"}},
		{keyID + "/inline-2", sesskeep.Key{Session: keyID, Agent: sesskeep.InlineAgent(2)}},
		{keyID + "@work", sesskeep.Key{Session: keyID, Home: "work"}},
		{keyID + "/acompact-9@k3f9ab.laptop", sesskeep.Key{Session: keyID, Agent: "acompact-9", Home: "k3f9ab", Machine: "laptop"}},
	} {
		got, err := sesskeep.ParseKey(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v", tt.text, got, err)
		}
	}
	for _, text := range []string{
		"", "c9cf", "@work", keyID + "@", keyID + "/", keyID + "@work.", keyID + "@.laptop",
		keyID + "/a@", keyID + "/a/b", keyID + "@a@b", keyID + "@a.b.c", keyID + "@Work", keyID + " ",
		keyID + "/../x", keyID + "@-", keyID + "@" + strings.Repeat("a", 33),
	} {
		if k, err := sesskeep.ParseKey(text); err == nil || k != (sesskeep.Key{}) {
			t.Errorf("%q is a key: %+v", text, k)
		}
	}
}

// drawKey draws any Key there can be.
func drawKey(t *rapid.T) sesskeep.Key {
	name := rapid.StringMatching(`[a-z0-9][a-z0-9_-]{0,31}`)
	k := sesskeep.Key{Session: sesskeep.SessionID(rapid.StringMatching(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).Draw(t, "session"))}
	if rapid.Bool().Draw(t, "agent?") {
		k.Agent = sesskeep.AgentID(rapid.StringMatching(`[A-Za-z0-9_-]{1,128}`).Draw(t, "agent"))
	}
	if rapid.Bool().Draw(t, "home?") {
		k.Home = sesskeep.HomeID(name.Draw(t, "home"))
		if rapid.Bool().Draw(t, "machine?") {
			k.Machine = sesskeep.MachineID(name.Draw(t, "machine"))
		}
	}
	return k
}

// What is printed is read back as the same key, in JSON too, as a value and as
// the name of a field.
func TestKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKey(t)
		if got, err := sesskeep.ParseKey(k.String()); err != nil || got != k {
			t.Fatalf("%s: %+v, %v", k, got, err)
		}
		want := map[sesskeep.Key]sesskeep.Key{k: k, {}: {}}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got map[sesskeep.Key]sesskeep.Key
		if err := json.Unmarshal(data, &got); err != nil || got[k] != k || len(got) != len(want) {
			t.Fatalf("%s: %v, %v", data, got, err)
		}
	})
}

func FuzzKey(f *testing.F) {
	for _, text := range []string{"", keyID, keyID + "/a", keyID + "@b", keyID + "/a@b.c", "@b.c", "/", "@", "."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := sesskeep.ParseKey(text)
		if err == nil && k.String() != text {
			t.Errorf("%q is printed as %q", text, k)
		}
		if err != nil && k != (sesskeep.Key{}) {
			t.Errorf("%q: %v with %+v", text, err, k)
		}
	})
}

func TestInlineAgent(t *testing.T) {
	for id, want := range map[sesskeep.AgentID]int{
		sesskeep.InlineAgent(1): 1, "inline-12": 12, "inline-0": 0, "inline-01": 0, "inline-x": 0, "inline-": 0, "a1": 0, "inline--1": 0, "inline-+1": 0,
	} {
		if got := id.Inline(); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
}

func TestStoreKey(t *testing.T) {
	store := sesskeep.New(homefs.New("/h", nil))
	ref := sesskeep.Ref{Session: keyID, Agent: "a1"}
	if k, ok := store.Key(ref); !ok || k.String() != keyID+"/a1" {
		t.Errorf("without ids: %s, %v", k, ok)
	}
	store.Identify("laptop", "work")
	if k, ok := store.Key(ref); !ok || k.String() != keyID+"/a1@work.laptop" {
		t.Errorf("with ids: %s, %v", k, ok)
	}
	if k, ok := store.Key(sesskeep.Ref{Agent: "a1", Layout: sesskeep.LayoutFlat}); ok {
		t.Errorf("a flat agent whose session is not known has the key %s", k)
	}
}
