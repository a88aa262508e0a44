package sesskeep_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"sesskeep"
)

func TestDirName(t *testing.T) {
	long := "/" + strings.Repeat("a", 199)
	for _, tt := range []struct{ name, path, want string }{
		{"plain", "/home/u/app", "-home-u-app"},
		{"case is kept", "/Users/Me/App", "-Users-Me-App"},
		{"dots and underscores", "/home/u/my_app.v2", "-home-u-my-app-v2"},
		{"hidden", "/Users/me/.agents", "-Users-me--agents"},
		{"nothing is collapsed", "/a/b--c/ d ", "-a-b--c--d-"},
		{"windows", `C:\src\x`, "C--src-x"},
		{"root", "/", "-"},
		{"empty", "", ""},
		{"digits", "/1/2", "-1-2"},
		{"newline", "/a\nb", "-a-b"},
		{"CJK: one each", "/日本語", "----"},
		{"emoji: two", "/🎉", "---"},
		{"composed", "/caf\u00e9", "-caf-"},
		{"decomposed", "/cafe\u0301", "-cafe-"},
		{"200 stay", long, "-" + strings.Repeat("a", 199)},
		{"201 are cut", long + "a", "-" + strings.Repeat("a", 199) + "-" + slowHash(long+"a")},
		{"units count, not characters", "/" + strings.Repeat("🎉", 100), strings.Repeat("-", 200) + "-" + slowHash("/"+strings.Repeat("🎉", 100))},
	} {
		if got := string(sesskeep.DirName(tt.path)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The hash is that of Java's strings, of which these are known; the most
// negative one has no positive twin in 32 bits.
func TestDirNameKnownHash(t *testing.T) {
	zeros := strings.Repeat("\x00", 200) // they leave the hash as it is
	for word, want := range map[string]string{"hello": "1n1e4y", "polygenelubricants": "zik0zk"} {
		if got := string(sesskeep.DirName(zeros + word)); got != strings.Repeat("-", 201)+want {
			t.Errorf("%s: %s, want %s", word, got[201:], want)
		}
	}
}

// Two long paths that differ at their end share the cut name and no more.
func TestDirNameHash(t *testing.T) {
	base := "/" + strings.Repeat("x", 397)
	a, b := string(sesskeep.DirName(base+"1")), string(sesskeep.DirName(base+"2"))
	if a == b || a[:201] != b[:201] {
		t.Errorf("%q and %q", a, b)
	}
}

// The paths that the real client was started in.
func TestDirNameCorpus(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus(t), "real-client", "p14-paths", "paths.json"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []struct{ Key, Cwd, Dir string }
	if err := json.Unmarshal(data, &paths); err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if p.Key == "symlink" {
			continue // the name is that of where the link leads
		}
		// In a repository there is a second one, for its memory.
		dirs := strings.Split(p.Dir, " | ")
		if got := string(sesskeep.DirName(p.Cwd)); !slices.Contains(dirs, got) {
			t.Errorf("%s: %q, want %q", p.Key, got, p.Dir)
		}
	}
	t.Logf("%d paths", len(paths))
}

func TestHolds(t *testing.T) {
	long := "/" + strings.Repeat("a", 300)
	for _, tt := range []struct {
		name, key, path string
		want            bool
	}{
		{"its own", "-a-b", "/a/b", true},
		{"another of that name", "-a-b", "/a.b", true},
		{"another", "-a-b", "/a/c", false},
		{"case matters", "-a-B", "/a/b", false},
		{"long", string(sesskeep.DirName(long)), long, true},
		{"long, hashed by an older build", string(sesskeep.DirName(long)[:201]) + "zz9", long, true},
		{"long, cut name only", string(sesskeep.DirName(long)[:200]), long, false},
		{"long, another", string(sesskeep.DirName("/b" + long)), long, false},
		{"long, more than a hash behind it", string(sesskeep.DirName(long)[:201]) + "zz-9", long, false},
		{"empty", "", "/a", false},
	} {
		if got := sesskeep.ProjectKey(tt.key).Holds(tt.path); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// slowHash is the hash in words: h*31 plus every UTF-16 unit, in 32 bits with
// a sign, without its sign in the end, to the base 36.
func slowHash(path string) string {
	h := new(big.Int)
	for _, u := range utf16.Encode([]rune(path)) {
		h.Mul(h, big.NewInt(31))
		h.Add(h, big.NewInt(int64(u)))
	}
	h.And(h, big.NewInt(1<<32-1)) // big.Int counts as two's complement here
	if h.Cmp(big.NewInt(1<<31)) >= 0 {
		h.Sub(h, big.NewInt(1<<32))
	}
	return h.Abs(h).Text(36)
}

// slowDirName is the rule in words, one character at a time.
func slowDirName(path string) string {
	var b strings.Builder
	for _, r := range path {
		switch {
		case strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString("--")
		default:
			b.WriteString("-")
		}
	}
	if b.Len() <= 200 {
		return b.String()
	}
	return b.String()[:200] + "-" + slowHash(path)
}

var dirName = regexp.MustCompile(`^[A-Za-z0-9-]*$`)

func checkDirName(t fataler, path string) {
	t.Helper()
	key := sesskeep.DirName(path)
	name := string(key)
	if !dirName.MatchString(name) || len(name) > 200+1+7 {
		t.Fatalf("%q gives the name %q", path, name)
	}
	if want := slowDirName(path); name != want || sesskeep.DirName(path) != key {
		t.Fatalf("%q gives %q, want %q", path, name, want)
	}
	if !key.Holds(path) {
		t.Fatalf("%q does not hold %q", name, path)
	}
}

func TestDirNameLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkDirName(t, rapid.OneOf(rapid.String(), rapid.StringN(190, 230, -1)).Draw(t, "path"))
	})
}

func FuzzDirName(f *testing.F) {
	for _, path := range []string{"", "/", "/home/u/my_app.v2", "/🎉", "/cafe\u0301", "\xff\xfe/x", "/" + strings.Repeat("a", 199), "/" + strings.Repeat("é", 200)} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) { checkDirName(t, path) })
}
