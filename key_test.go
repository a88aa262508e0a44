package sesskeep_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sesskeep"
)

const (
	keyID    = "c9cf1234-0000-4000-8000-000000000001"
	keyOther = "c9cf1234-0000-4000-8000-000000000002"
)

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

func TestShortKeys(t *testing.T) {
	key := func(text string) sesskeep.Key {
		k, err := sesskeep.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, tt := range []struct {
		name       string
		keys, want []string
	}{
		{"alone", []string{keyID + "@a.x"}, []string{"c9cf1234"}},
		{"as much of the id as is needed", []string{keyID + "@a.x", keyOther + "@a.x"}, []string{keyID, keyOther}},
		{"two homes", []string{keyID + "@a.x", keyID + "@b.x"}, []string{"c9cf1234@a", "c9cf1234@b"}},
		{"two machines", []string{keyID + "@a.x", keyID + "@a.y"}, []string{"c9cf1234@a.x", "c9cf1234@a.y"}},
		{"another session's home", []string{keyID + "@a.x", "d" + keyID[1:] + "@b.x"}, []string{"c9cf1234", "d9cf1234"}},
		{"an agent is where its session is", []string{keyID + "@a.x", keyID + "/q@a.x", keyID + "@b.x"}, []string{"c9cf1234@a", "c9cf1234/q@a", "c9cf1234@b"}},
	} {
		keys := make([]sesskeep.Key, len(tt.keys))
		for i, text := range tt.keys {
			keys[i] = key(text)
		}
		got := sesskeep.ShortKeys(keys)
		if strings.Join(got, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// However alike the keys are, each of the short texts names one of them.
func TestShortKeysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sessions := rapid.SampledFrom([]string{keyID, keyOther, "d" + keyID[1:]})
		words := rapid.SampledFrom([]string{"", "a", "b"})
		seen := map[sesskeep.Key]bool{}
		var keys []sesskeep.Key
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			k := sesskeep.Key{
				Session: sesskeep.SessionID(sessions.Draw(t, "session")), Agent: sesskeep.AgentID(words.Draw(t, "agent")),
				Home: sesskeep.HomeID(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "home")), Machine: sesskeep.MachineID(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "machine")),
			}
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
		texts := map[string]sesskeep.Key{}
		for i, text := range sesskeep.ShortKeys(keys) {
			if other, ok := texts[text]; ok {
				t.Fatalf("%s is %s and %s", text, other, keys[i])
			}
			texts[text] = keys[i]
			if !strings.HasPrefix(keys[i].String(), text[:8]) {
				t.Fatalf("%s is called %s", keys[i], text)
			}
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
	store := sesskeep.OpenFS("/h", nil)
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
