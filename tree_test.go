package sesskeep_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// parseLinks reads a transcript in a small notation, a line a word:
//
//	P:a<        prompt a, a root
//	A:b<a#m@t   answer b below a, of message m, making call t
//	R:c<b@t     result of call t
//	N I B Q M   note, injected text, compact boundary, queued prompt, made-up answer
//	W G         answer without a word, progress
//	B:d<~b      a boundary that continues b
//	R:c<x^b     a result that names b as the holder of its call
//	P:e<b=9     at time 9, else the time is the line's number
//	P:e<b!bg    of session kind bg
//	P:e<b%x     with the text x, else every prompt has a text of its own
//	a:f<        a small letter: of a sidechain
//	last=b      the client names b as the active leaf
func parseLinks(tb testing.TB, notation string) ([]sesskeep.Link, sesskeep.Hint) {
	tb.Helper()
	var links []sesskeep.Link
	var hint sesskeep.Hint
	for _, word := range strings.Fields(notation) {
		if leaf, ok := strings.CutPrefix(word, "last="); ok {
			hint = sesskeep.Hint{Leaf: leaf, At: len(links)}
			continue
		}
		role, rest, ok := strings.Cut(word, ":")
		if !ok || role == "" {
			tb.Fatalf("no role in %q", word)
		}
		l := sesskeep.Link{Time: int64(len(links) + 1), Sidechain: role != strings.ToUpper(role), Line: len(links) + 1}
		letter := strings.ToUpper(role)[0]
		l.Role, ok = roles[letter]
		if !ok {
			tb.Fatalf("no such role in %q", word)
		}
		l.Spoken = strings.IndexByte("PARIMW", letter) >= 0
		l.MadeUp, l.Wordless, l.Progress = letter == 'M', letter == 'W', letter == 'G'
		for rest != "" {
			end := strings.IndexAny(rest[1:], "<#@~^=!%") + 1
			if end == 0 {
				end = len(rest)
			}
			part := rest[:end]
			rest = rest[end:]
			switch part[0] {
			case '<':
				l.Parent = part[1:]
			case '#':
				l.Message = part[1:]
			case '@':
				l.Tool = part[1:]
			case '~':
				l.Logical = part[1:]
			case '^':
				l.Source = part[1:]
			case '!':
				l.Kind = part[1:]
			case '%':
				l.Text = strings.ReplaceAll(part[1:], "Implement_plan", "Implement the following plan: x")
			case '=':
				l.Time, _ = strconv.ParseInt(part[1:], 10, 64)
			default:
				l.UUID = part
			}
		}
		if l.Role == sesskeep.RolePrompt && l.Text == "" {
			l.Text = "prompt " + l.UUID
		}
		links = append(links, l)
	}
	return links, hint
}

var roles = map[byte]sesskeep.Role{
	'P': sesskeep.RolePrompt, 'Q': sesskeep.RolePrompt, 'A': sesskeep.RoleAnswer, 'R': sesskeep.RoleResult,
	'I': sesskeep.RoleInjected, 'N': sesskeep.RoleNote, 'B': sesskeep.RoleBoundary, 'M': sesskeep.RoleAnswer,
	'W': sesskeep.RoleAnswer, 'G': sesskeep.RoleNote,
}

// shape is a tree in the same spirit: conversations as the heads of their
// turns, with a slash where a compaction lies between and a star at the active
// one; turns as head and other lines.
type shape struct {
	paths, kinds, turns, inline, detached, duplicates, repaired string
}

func shapeOf(links []sesskeep.Link, tree *sesskeep.Tree) shape {
	var s shape
	var paths, kinds, turns, inline []string
	for i, c := range tree.Conversations {
		var b strings.Builder
		for _, t := range tree.Path(c) {
			if tree.Turns[t].Compacted {
				b.WriteByte('/')
			}
			b.WriteString(head(links, tree, t))
		}
		if i == tree.Active {
			b.WriteByte('*')
		}
		paths = append(paths, b.String())
		kinds = append(kinds, string(c.Kind))
	}
	for t, turn := range tree.Turns {
		text := head(links, tree, t)
		var rest []int
		for _, i := range turn.Lines {
			if i != turn.Head {
				rest = append(rest, i)
			}
		}
		if len(rest) > 0 {
			text += "+" + uuids(links, rest)
		}
		turns = append(turns, text)
	}
	for _, lines := range tree.Inline {
		inline = append(inline, uuids(links, lines))
	}
	s.paths, s.kinds = strings.Join(paths, " "), strings.Join(kinds, " ")
	s.turns, s.inline = strings.Join(turns, " "), strings.Join(inline, " ")
	s.detached = strings.Trim(fmt.Sprint(tree.Detached), "[]")
	s.duplicates = strings.Trim(fmt.Sprint(tree.Duplicates), "[]")
	s.repaired = uuids(links, tree.Repaired)
	return s
}

func head(links []sesskeep.Link, tree *sesskeep.Tree, turn int) string {
	if h := tree.Turns[turn].Head; h >= 0 {
		return links[h].UUID
	}
	return "-"
}

func uuids(links []sesskeep.Link, lines []int) string {
	var b strings.Builder
	for _, i := range lines {
		b.WriteString(links[i].UUID)
	}
	return b.String()
}

// treeTests leave out of want what is empty, and of kinds and turns what the
// case is not about.
var treeTests = []struct {
	name, lines string
	want        shape
}{
	{"empty", "", shape{}},
	{"one prompt", "P:a<", shape{paths: "a*", kinds: "main", turns: "a"}},
	{"linear", "P:a< A:b<a P:c<b A:d<c", shape{paths: "abcd*", kinds: "main", turns: "a b c d"}},
	{"retry", "P:a< A:b<a#1 A:c<a#2", shape{paths: "ab ac*", kinds: "main retry"}},
	{"retry, and on with the first", "P:a< A:b<a#1 A:c<a#2 P:d<b", shape{paths: "ac abd*", kinds: "retry main"}},
	{"edit", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e", shape{paths: "abcd abef*", kinds: "main edit"}},
	{"rewind", "P:a< A:b<a P:c<b A:d<c P:e<d A:f<e P:g<b A:h<g", shape{paths: "abcdef abgh*", kinds: "main rewind"}},
	{"edit of the first prompt", "P:a< A:b<a P:c< A:d<c", shape{paths: "ab cd*", kinds: "main edit"}},
	{"rewind to the start", "P:a< A:b<a P:c<b A:d<c P:e< A:f<e", shape{paths: "abcd ef*", kinds: "main rewind"}},
	{
		"nested 5",
		"P:a< A:b<a P:c<b A:d<c P:e<d A:f<e P:g<f A:h<g P:i<h A:j<i P:k<h P:l<f P:m<d P:n<b P:o<",
		shape{
			paths: "abcdefghij abcdefghk abcdefl abcdm abn o*",
			kinds: "main edit rewind rewind rewind rewind",
		},
	},

	{
		"parallel tools", // every result below its own call, the next answer below the last one written
		"P:p< A:a<p#m A:b<a#m@1 A:c<b#m@2 A:d<c#m@3 R:x<d@3 R:y<b@1 R:w<c@2 A:z<w#n",
		shape{paths: "paz*", kinds: "main", turns: "p a+bcdxyw z"},
	},
	{
		"parallel tools, chained results of 1.0",
		"P:p< A:a<p#m@1 A:b<a#m@2 R:x<b@1 R:y<x@2 A:z<y#n",
		shape{paths: "paz*", turns: "p a+bxy z"},
	},
	{
		"parallel tools, results through progress rows",
		"P:p< A:a<p#m@1 A:b<a#m@2 N:h<a N:i<b R:x<h@1 R:y<i@2 A:z<y#n",
		shape{paths: "paz*", turns: "p a+bhxy z+i"},
	},
	{
		"next block below the first block's result",
		"P:p< A:a<p#m@1 R:x<a@1 A:b<x#m@2 R:y<b@2 A:z<y#n",
		shape{paths: "paz*", turns: "p a+xby z"},
	},
	{
		"parallel tools, the turn ends with a dead result", // killed before the next answer
		"P:p< A:a<p#m@1 A:b<a#m@2 R:y<b@2 R:x<a@1",
		shape{paths: "pa*", turns: "p a+byx"},
	},
	{
		"a result whose call is in no answer",
		"P:p< A:a<p#m R:x<a@9 A:z<x#n",
		shape{paths: "paz*", turns: "p a+x z"},
	},
	{
		"an answer goes on after a prompt typed in between", // 1.0.120, 2.1.47
		"P:a< A:b<a#m P:c<b A:d<c#m@1 A:e<d#m@2 R:f<e@2 R:g<d@1 A:h<f#n",
		shape{paths: "abcdh*", kinds: "main", turns: "a b c d+efg h"},
	},
	{
		"both lines of an answer below the prompt",
		"P:a< A:b<a#m A:c<a#m P:d<c",
		shape{paths: "abd*", turns: "a b+c d"},
	},
	{
		"a plan with a clear context", // 2.1.12: a second root
		"P:a< A:b<a P:c<%Implement_plan A:d<c",
		shape{paths: "ab/cd*", kinds: "main"},
	},
	{
		"a plan at the start",
		"P:c<%Implement_plan A:d<c P:e<%other",
		shape{paths: "cd e*", kinds: "main edit"},
	},
	{
		"compaction of 1.0.53", // a summary below nothing, and no boundary
		"P:a< A:b<a B:s< P:c<s A:d<c",
		shape{paths: "ab/cd*", kinds: "main", turns: "a b c+s d"},
	},
	{
		"made up after a resume, beside what came of it",
		"P:a< A:b<a P:c<b M:x<c P:d<c A:e<d",
		shape{paths: "abcde*", kinds: "main", turns: "a b c+x d e"},
	},
	{
		"made up, and nothing else",
		"P:a< A:b<a P:c<b M:x<c",
		shape{paths: "abcx*", kinds: "main"},
	},
	{
		"a plan below progress of a hook", // 2.1.12
		"P:a< A:b<a@1 R:c<b@1 I:d<c G:e< G:f<e P:g<f%Implement_plan A:h<g",
		shape{paths: "abgh*", kinds: "main", turns: "a b+c g+def h"},
	},
	{
		"answers below progress of a hook", // 2.1.47
		"I:a< A:b<a G:c< G:d<c A:e<d",
		shape{paths: "be*", kinds: "main", turns: "b+a e+cd"},
	},
	{
		"progress at the start",
		"G:a< P:b<a A:c<b P:d<a",
		shape{paths: "bc d*", kinds: "main edit"},
	},
	{
		"an answer without a word, beside what was made up after a resume",
		"P:a< W:b<a I:c<b I:d<c M:x<a G:e<x P:f<e A:g<f",
		shape{paths: "axfg*", kinds: "main", turns: "a+bcd x f+e g"},
	},
	{
		"two processes: an answer beside what was made up for the other",
		"P:a< M:x<a P:c<x A:b<a A:d<c P:e<b",
		shape{paths: "axcd abe*", kinds: "main retry"},
	},
	{
		"an answer without a word is all there is",
		"P:a< W:b<a",
		shape{paths: "ab*", kinds: "main"},
	},
	{
		"the same prompt again",
		"P:a< A:b<a P:c<b%again A:d<c P:e<b%again A:f<e",
		shape{paths: "abcd abef*", kinds: "main retry"},
	},
	{
		"attachments between",
		"P:a< N:1<a N:2<1 N:3<2 A:b<3 N:4<b P:c<4",
		shape{paths: "abc*", turns: "a b+123 c+4"},
	},
	{
		"stop hook summary beside the next prompt",
		"P:a< A:b<a N:s<b P:c<b A:d<c",
		shape{paths: "abcd*", turns: "a b+s c d"},
	},
	{
		"skill body on a sibling branch",
		"P:a< A:b<a#m@1 R:c<b@1 I:s<b A:d<c#n",
		shape{paths: "abd*", turns: "a b+cs d"},
	},
	{
		"skill body in the chain",
		"P:a< A:b<a#m@1 R:c<b@1 I:s<c A:d<s#n",
		shape{paths: "abd*", turns: "a b+c d+s"},
	},
	{
		"queued command",
		"P:a< A:b<a#m@1 R:c<b@1 Q:q<c A:d<q#n",
		shape{paths: "abqd*", kinds: "main", turns: "a b+c q d"},
	},
	{
		"notes that lead to two turns stay above",
		"P:a< A:b<a N:n<b P:c<n P:d<n",
		shape{paths: "abc abd*", kinds: "main edit", turns: "a b+n c d"},
	},

	{
		"compaction",
		"P:a< A:b<a B:x<~b I:s<x I:l<s P:c<l A:d<c",
		shape{paths: "ab/cd*", kinds: "main", turns: "a b c+xsl d"},
	},
	{
		"two compactions",
		"P:a< A:b<a B:x<~b I:s<x P:c<s A:d<c B:y<~d I:t<y P:e<t A:f<e",
		shape{paths: "ab/cd/ef*", kinds: "main"},
	},
	{
		"compaction that nothing follows",
		"P:a< A:b<a B:x<~b I:s<x",
		shape{paths: "ab*", turns: "a b+xs"},
	},
	{
		"compaction, the old tip not in the file", // a fork copies from the last boundary on
		"B:x<~gone I:s<x P:c<s A:d<c",
		shape{paths: "/cd*", kinds: "main", turns: "c+xs d", repaired: "x"},
	},
	{
		"compaction, the old tip lost in the middle",
		"P:a< A:b<a B:x<~gone I:s<x P:c<s A:d<c",
		shape{paths: "ab/cd*", kinds: "main", turns: "a b c+xs d", repaired: "x"},
	},
	{
		"preserved segment", // the pending prompt is kept, and answered below the summary
		"P:a< A:b<a P:c<b B:x<~c I:s<x A:d<s#n P:e<d",
		shape{paths: "abc/de*", kinds: "main"},
	},
	{
		"summarize from here", // a, b are kept, c and d are summarised
		"P:a< A:b<a P:c<b A:d<c B:x<~b I:s<x P:e<s A:f<e",
		shape{paths: "abcd ab/ef*", kinds: "main compact"},
	},
	{
		"edited twice after a compaction",
		"P:a< A:b<a B:x<~b I:s<x P:c<s P:d<s P:e<s",
		shape{paths: "ab/c ab/d ab/e*", kinds: "main edit edit"},
	},

	{"missing parent", "P:a< A:b<a P:z<gone A:y<z", shape{paths: "abzy*", kinds: "main", repaired: "z"}},
	{"missing parent at the start", "P:z<gone A:y<z", shape{paths: "zy*", repaired: "z"}},
	{"missing parent, older than the line before", "P:a<=9 A:b<a=10 P:z<gone=3", shape{paths: "ab z*", kinds: "main edit", repaired: "z"}},
	{"missing parent, another session kind", "P:a< A:b<a P:z<gone!bg", shape{paths: "ab z*", repaired: "z"}},
	{
		"missing parent of a result", // it names the line that holds its call
		"P:a< A:b<a#m@1 A:c<b#m@2 R:y<c@2 R:x<gone^b@1 A:d<y#n",
		shape{paths: "abd*", turns: "a b+cyx d", repaired: "x"},
	},
	{"self-parent", "P:a< A:b<a P:c<c A:d<c", shape{paths: "abcd*", repaired: "c"}},
	{"self-parent root", "P:a<a A:b<a", shape{paths: "ab*", repaired: "a"}},
	{"loop of two", "P:a<b A:b<a", shape{paths: "ab*", repaired: "a"}},
	{"loop of three below nothing", "P:a<c A:b<a P:c<b", shape{paths: "abc*", repaired: "a"}},
	{"loop with a tail", "P:a<b A:b<a P:c<b A:d<c", shape{paths: "abcd*", repaired: "a"}},
	{"two loops", "P:a<b A:b<a P:c<d A:d<c", shape{paths: "ab cd*", kinds: "main edit", repaired: "ac"}},
	{"loop through the logical parent", "P:a<gone~b A:b<a", shape{paths: "ab*", repaired: "a"}},
	{"parent written later", "A:b<a#m P:a<", shape{paths: "ab*", turns: "a b"}},

	{"whole file doubled", "P:a< A:b<a P:c<b P:a< A:b<a P:c<b", shape{paths: "abc*", turns: "a b c", duplicates: "3 4 5"}},
	{"duplicate with another parent", "P:a< A:b<a P:c<b P:c<a", shape{paths: "abc*", duplicates: "3"}},
	{
		"replay under new uuids", // the times are the old ones
		"P:a<%x=1 A:b<a#m=2 P:c<b=3 P:d<%x=1 A:e<d#m=2 P:f<e=4",
		shape{paths: "abc abf*", kinds: "main edit", turns: "a+d b+e c f"},
	},
	{
		"answers of two requests at one time are one",
		"P:a<=1 A:b<a#m=2 A:c<a#n=2 P:d<c=3",
		shape{paths: "abd*", turns: "a b+c d"},
	},
	{
		"prompts at one time with other texts are two",
		"P:a<=1 A:b<a=2 P:c<b=3 P:d<b=3",
		shape{paths: "abc abd*", kinds: "main edit"},
	},
	{"lines without a time are never replays", "P:a<=0 A:b<a=0 A:c<a=0", shape{paths: "ab ac*", kinds: "main retry"}},
	{
		"two processes", // the second answers the first one's prompt with a made-up line
		"P:a< A:b<a P:c<b A:x<c#s P:d<x A:e<d A:f<c",
		shape{paths: "abcxde abcf*", kinds: "main retry"},
	},

	{
		"inline agents of 1.0",
		"P:a< A:b<a#m@1 p:s< a:t<s p:u< a:v<u R:c<b@1 A:d<c#n",
		shape{paths: "abd*", turns: "a b+c d", inline: "st uv"},
	},
	{"inline agent last", "P:a< A:b<a p:s< a:t<s", shape{paths: "ab*", inline: "st"}},
	{"inline agent with a lost parent", "P:a< A:b<a p:s< a:t<gone", shape{paths: "ab*", inline: "st", repaired: "t"}},
	{"a line below an inline agent", "P:a< A:b<a p:s<b a:t<s P:c<t", shape{paths: "abc*", inline: "st", repaired: "sc"}},
	{"agent file", "p:a< a:b<a#m@1 r:c<b@1 a:d<c#n", shape{paths: "abd*", turns: "a b+c d"}},

	{"only notes", "N:a< N:b<a", shape{turns: "-+ab"}},
	{"only local commands", "I:a< I:b<a I:c<b", shape{paths: "-*", kinds: "main", turns: "-+abc"}},
	{"only a boundary", "B:a<", shape{turns: "-+a"}},
	{"only a queued prompt", "N:a< Q:q<a", shape{paths: "q*", kinds: "main"}},
	{"notes before the first prompt", "N:a< I:b< P:c<b", shape{paths: "c*", turns: "c+ab"}},
	{"second root of notes only", "P:a< A:b<a N:c<", shape{paths: "ab*", turns: "a+c b"}},
	{
		"roots by the place of their prompts", // the first root's prompt is written last
		"N:h< P:a< A:b<a P:c<h",
		shape{paths: "ab c*", kinds: "main edit"},
	},
	{"lines without uuid", "P:a< P:< A:b<a A:<b", shape{paths: "ab*", detached: "1 3"}},
	{"nothing but lines without uuid", "P:< A:<", shape{detached: "0 1"}},

	{"hint honoured", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e last=d", shape{paths: "abcd* abef"}},
	{"hint, only a note after it", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e last=d N:n<f", shape{paths: "abcd* abef"}},
	{"hint ignored, something was said since", "P:a< A:b<a P:c<b A:d<c last=d P:e<b A:f<e", shape{paths: "abcd abef*"}},
	{"hint naming a line written later", "P:a< last=b A:b<a", shape{paths: "ab*"}},
	{"hint naming the middle", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e last=c", shape{paths: "abcd* abef"}},
	{"hint unset by the client", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e last=00000000-0000-0000-0000-000000000000", shape{paths: "abcd abef*"}},
	{"hint to nowhere", "P:a< A:b<a P:c<b A:d<c P:e<b A:f<e last=gone", shape{paths: "abcd abef*"}},
	{"hint without a leaf", "P:a< A:b<a P:c<b P:d<b last=", shape{paths: "abc abd*"}},
	{"hint into an inline agent", "P:a< A:b<a P:c<b p:s< P:d<b last=s", shape{paths: "abc abd*", inline: "s"}},
	{"active by the last line said, not by time", "P:a<=1 A:b<a=2 P:c<b=9 P:d<b=3", shape{paths: "abc abd*"}},
	{"active by a late result", "P:a< A:b<a#m@1 P:c<a R:x<b@1", shape{paths: "ac ab*", kinds: "edit main"}},
}

func TestTree(t *testing.T) {
	for _, tt := range treeTests {
		t.Run(tt.name, func(t *testing.T) {
			links, hint := parseLinks(t, tt.lines)
			tree := sesskeep.Grow(links, hint)
			checkTree(t, links, tree)
			got := shapeOf(links, tree)
			if tt.want.kinds == "" {
				got.kinds = ""
			}
			if tt.want.turns == "" {
				got.turns = ""
			}
			if got != tt.want {
				t.Errorf("%s\n got %+v\nwant %+v", tt.lines, got, tt.want)
			}
		})
	}
}

// A fork point is the turn above the parting, and none where whole roots part.
func TestForkPoint(t *testing.T) {
	for _, tt := range []struct{ lines, want string }{
		{"P:a< A:b<a", "-"},
		{"P:a< A:b<a P:c<b P:d<b", "b b"},
		{"P:a< A:b<a P:c< A:d<c", "- -"},
		{"P:a< A:b<a P:c<b A:d<c P:e<d P:f<d P:g<b", "d d b"},
	} {
		links, hint := parseLinks(t, tt.lines)
		tree := sesskeep.Grow(links, hint)
		var got []string
		for _, c := range tree.Conversations {
			fork := "-"
			if c.Fork >= 0 {
				fork = head(links, tree, c.Fork)
			}
			got = append(got, fork)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: fork points %q, want %q", tt.lines, s, tt.want)
		}
	}
}

// fataler is what testing.TB and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkTree holds a tree to what must be true of all of them.
func checkTree(t fataler, links []sesskeep.Link, tree *sesskeep.Tree) {
	t.Helper()
	checkPlaces(t, links, tree)
	checkTurns(t, links, tree)
	checkConversations(t, links, tree)
	for i, at := range tree.Repaired {
		if i > 0 && tree.Repaired[i-1] >= at {
			t.Fatalf("Repaired %v: not in order, or one twice", tree.Repaired)
		}
	}
}

// checkPlaces: every line is in one place and the right sort of place.
func checkPlaces(t fataler, links []sesskeep.Link, tree *sesskeep.Tree) {
	t.Helper()
	place := make([]string, len(links))
	put := func(i int, where string) {
		if place[i] != "" {
			t.Fatalf("line %d is in %s and in %s", i, place[i], where)
		}
		place[i] = where
	}
	for n, turn := range tree.Turns {
		for _, i := range turn.Lines {
			put(i, fmt.Sprint("turn ", n))
		}
		if !slices.IsSorted(turn.Lines) {
			t.Fatalf("lines of turn %d: %v", n, turn.Lines)
		}
	}
	for _, lines := range tree.Inline {
		for _, i := range lines {
			put(i, "an inline agent")
		}
	}
	for _, i := range tree.Detached {
		put(i, "Detached")
	}
	for _, i := range tree.Duplicates {
		put(i, "Duplicates")
	}
	agent := !slices.ContainsFunc(links, func(l sesskeep.Link) bool { return !l.Sidechain })
	seen := map[string]bool{}
	talk := false
	for i, l := range links {
		want := "turn"
		switch {
		case l.Queued() && talk: // it stands in the turn before it
		case l.UUID == "":
			want = "Detached"
		case seen[l.UUID]:
			want = "Duplicates"
		case l.Sidechain && !agent:
			want = "an inline agent"
		}
		talk = talk || l.UUID != "" && want == "turn" && (l.Role == sesskeep.RolePrompt || l.Role == sesskeep.RoleAnswer)
		seen[l.UUID] = true
		if !strings.HasPrefix(place[i], want) {
			t.Fatalf("line %d %+v is in %q, want %s", i, l, place[i], want)
		}
	}
}

// checkTurns: heads, parents and children agree, and parents come first.
func checkTurns(t fataler, links []sesskeep.Link, tree *sesskeep.Tree) {
	t.Helper()
	children := make([][]int, len(tree.Turns))
	for n, turn := range tree.Turns {
		if turn.Parent >= n || turn.Parent < -1 {
			t.Fatalf("turn %d has the parent %d", n, turn.Parent)
		}
		if turn.Parent >= 0 {
			children[turn.Parent] = append(children[turn.Parent], n)
		}
		if len(turn.Lines) == 0 {
			t.Fatalf("turn %d has no lines", n)
		}
		if turn.Head < 0 {
			if turn.Prompt || len(tree.Turns) > 1 {
				t.Fatalf("turn %d of %d is only notes", n, len(tree.Turns))
			}
			continue
		}
		want := sesskeep.RoleAnswer
		if turn.Prompt {
			want = sesskeep.RolePrompt
		}
		if _, ok := slices.BinarySearch(turn.Lines, turn.Head); !ok || links[turn.Head].Role != want {
			t.Fatalf("turn %d has the head %d, its lines are %v", n, turn.Head, turn.Lines)
		}
	}
	for n, turn := range tree.Turns {
		byHead := slices.IsSortedFunc(turn.Children, func(a, b int) int { return tree.Turns[a].Head - tree.Turns[b].Head })
		got := slices.Clone(turn.Children)
		slices.Sort(got)
		if !byHead || !slices.Equal(got, children[n]) {
			t.Fatalf("turn %d has the children %v, want %v by head", n, turn.Children, children[n])
		}
	}
}

// checkConversations: one for every leaf with something said, each with its
// sums, every turn on the path of one, and one of them active.
func checkConversations(t fataler, links []sesskeep.Link, tree *sesskeep.Tree) {
	t.Helper()
	var leaves []int
	for n, turn := range tree.Turns {
		said := turn.Head >= 0 || slices.ContainsFunc(turn.Lines, func(i int) bool { return links[i].Spoken })
		if len(turn.Children) == 0 && said {
			leaves = append(leaves, n)
		}
	}
	var got []int
	on := make([]bool, len(tree.Turns))
	for i, c := range tree.Conversations {
		got = append(got, c.Turn)
		for n := c.Turn; n >= 0 && !on[n]; n = tree.Turns[n].Parent {
			on[n] = true
		}
		if i > 0 && lastLine(tree, tree.Conversations[i-1]) >= lastLine(tree, c) {
			t.Fatalf("conversation %d ends before the one before it", i)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, leaves) {
		t.Fatalf("conversations end in the turns %v, the leaves are %v", got, leaves)
	}
	if len(got) > 0 && slices.Contains(on, false) {
		t.Fatalf("turn %d is on no path", slices.Index(on, false))
	}
	if ok := tree.Active >= 0 && tree.Active < len(got); ok != (len(got) > 0) || !ok && tree.Active != -1 {
		t.Fatalf("conversation %d of %d is active", tree.Active, len(got))
	}
	if len(tree.Turns) > 1000 {
		return // the paths together can be far longer than the file
	}
	for _, c := range tree.Conversations {
		checkPath(t, links, tree, c)
	}
}

func lastLine(tree *sesskeep.Tree, c sesskeep.Conversation) int {
	lines := tree.Turns[c.Turn].Lines
	return lines[len(lines)-1]
}

func checkPath(t fataler, links []sesskeep.Link, tree *sesskeep.Tree, c sesskeep.Conversation) {
	t.Helper()
	prompts, spoken, fork, leaf := 0, 0, -1, false
	path := tree.Path(c)
	for n, turn := range path {
		if tree.Turns[turn].Prompt {
			prompts++
		}
		for _, i := range tree.Turns[turn].Lines {
			if links[i].Spoken {
				spoken++
			}
			if links[i].Queued() || links[i].Role == sesskeep.RoleResult && links[i].Sent() {
				prompts++
			}
			leaf = leaf || links[i].UUID == c.Leaf
		}
		if n > 0 && len(tree.Turns[path[n-1]].Children) > 1 {
			fork = path[n-1]
		}
	}
	if c.Prompts != prompts || c.Spoken != spoken || c.Fork != fork || !leaf {
		t.Fatalf("conversation %+v has %d prompts, %d lines, the fork %d", c, prompts, spoken, fork)
	}
}

// genLinks makes links out of few names, so that they meet: missing parents,
// self-parents, loops, duplicates and replays all come up.
func genLinks(t *rapid.T) []sesskeep.Link {
	names := rapid.IntRange(1, 40).Draw(t, "names")
	sides := rapid.IntRange(0, 2).Draw(t, "sides") // none, some, all
	name := rapid.Custom(func(t *rapid.T) string {
		if n := rapid.IntRange(-2, names).Draw(t, "n"); n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	})
	word := rapid.SampledFrom([]string{"", "", "1", "2", "3"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sesskeep.Link {
		l := sesskeep.Link{
			UUID: name.Draw(t, "uuid"), Parent: name.Draw(t, "parent"),
			Role: sesskeep.Role(rapid.IntRange(0, 5).Draw(t, "role")),
			Tool: word.Draw(t, "tool"), Time: int64(rapid.IntRange(0, 9).Draw(t, "time")),
			Sidechain: sides == 2 || sides == 1 && rapid.Bool().Draw(t, "side"),
		}
		if rapid.IntRange(0, 4).Draw(t, "more") == 0 {
			l.Logical, l.Source = name.Draw(t, "logical"), name.Draw(t, "source")
			l.Kind = rapid.SampledFrom([]string{"", "bg"}).Draw(t, "kind")
		}
		switch l.Role {
		case sesskeep.RoleAnswer:
			l.MadeUp = rapid.IntRange(0, 3).Draw(t, "made up") == 0
			l.Wordless = rapid.IntRange(0, 3).Draw(t, "wordless") == 0
			l.Message = word.Draw(t, "message")
			l.Spoken = true
		case sesskeep.RolePrompt:
			l.Text = rapid.SampledFrom([]string{"", "1", "2", "Implement the following plan: x"}).Draw(t, "text")
			l.Spoken = rapid.IntRange(0, 3).Draw(t, "queued") > 0
		case sesskeep.RoleResult:
			l.Text = word.Draw(t, "typed beside it")
			l.Spoken = true
		case sesskeep.RoleInjected:
			l.Spoken = true
		}
		return l
	}), 0, 80).Draw(t, "links")
}

func TestTreeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		links := genLinks(t)
		hint := sesskeep.Hint{Leaf: strconv.Itoa(rapid.IntRange(0, 41).Draw(t, "leaf")), At: rapid.IntRange(0, len(links)).Draw(t, "at")}
		before := slices.Clone(links)
		tree := sesskeep.Grow(links, hint)
		checkTree(t, links, tree)
		if !slices.Equal(links, before) {
			t.Fatalf("growing a tree changed the links")
		}
		if !reflect.DeepEqual(tree, sesskeep.Grow(links, hint)) {
			t.Fatalf("growing it again gave another tree")
		}
	})
}

// A tree costs about as much as its lines, whatever their shape: the worst
// shapes for walks upwards, lists of siblings, and paths.
func TestTreeCost(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	const n = 100_000
	id := strconv.Itoa
	below := func(i int) string { return id(max(i-1, 0)) }
	shapes := map[string]func(i int) sesskeep.Link{
		"chain": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: below(i), Role: sesskeep.RolePrompt}
		},
		"roots": func(i int) sesskeep.Link { return sesskeep.Link{UUID: id(i), Role: sesskeep.RolePrompt} },
		"star":  func(i int) sesskeep.Link { return sesskeep.Link{UUID: id(i), Parent: "0", Role: sesskeep.RolePrompt} },
		"comb": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: id(max(i-1-i%2, 0)), Role: sesskeep.RolePrompt}
		},
		"loop": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: id((i + 1) % n), Role: sesskeep.RolePrompt}
		},
		"notes": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: below(i), Role: sesskeep.RoleNote}
		},
		"one message": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: below(i), Role: sesskeep.RoleAnswer, Message: "m"}
		},
		"no uuid":  func(int) sesskeep.Link { return sesskeep.Link{Role: sesskeep.RoleAnswer} },
		"one uuid": func(int) sesskeep.Link { return sesskeep.Link{UUID: "a", Parent: "a", Role: sesskeep.RoleAnswer} },
		"inline": func(i int) sesskeep.Link {
			return sesskeep.Link{UUID: id(i), Parent: below(i), Sidechain: i > 0, Role: sesskeep.RolePrompt}
		},
		"fan below notes": func(i int) sesskeep.Link {
			if i < n/2 {
				return sesskeep.Link{UUID: id(i), Parent: below(i), Role: sesskeep.RoleNote}
			}
			return sesskeep.Link{UUID: id(i), Parent: id(n/2 - 1), Role: sesskeep.RolePrompt}
		},
		"fan below results": func(i int) sesskeep.Link {
			if i < n/2 {
				return sesskeep.Link{UUID: id(i), Parent: below(i), Role: sesskeep.RoleResult}
			}
			return sesskeep.Link{UUID: id(i), Parent: id(n/2 - 1), Role: sesskeep.RolePrompt}
		},
	}
	limit := 2 * time.Second
	if raceEnabled() {
		limit *= 10
	}
	for name, shape := range shapes {
		links := make([]sesskeep.Link, n)
		for i := range links {
			links[i] = shape(i)
			links[i].Spoken = links[i].Role != sesskeep.RoleNote
			links[i].Time = int64(i + 1)
		}
		start := storetest.CPU(t)
		tree := sesskeep.Grow(links, sesskeep.Hint{})
		if took := storetest.CPU(t) - start; took > limit {
			t.Errorf("%s: %v for %d lines", name, took, n)
		}
		checkTree(t, links, tree)
	}
}

// The paths of a comb are together a thousand times longer than the file, so
// they must not be made.
func TestCombMemory(t *testing.T) {
	const turns = 50_000
	links := make([]sesskeep.Link, turns)
	for i := range links {
		links[i] = sesskeep.Link{
			UUID: strconv.Itoa(i), Parent: strconv.Itoa(max(i-1-i%2, 0)),
			Role: sesskeep.RolePrompt, Spoken: true, Time: int64(i + 1),
		}
	}
	var conversations int
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			conversations = len(sesskeep.Grow(links, sesskeep.Hint{}).Conversations)
		}
	})
	if conversations < turns/2-1 {
		t.Errorf("%d conversations", conversations)
	}
	if perTurn := got.AllocedBytesPerOp() / turns; perTurn > 2000 {
		t.Errorf("%d bytes for each of %d turns", perTurn, turns)
	}
}

// decodeLinks makes links out of any bytes, five for each.
func decodeLinks(data []byte) []sesskeep.Link {
	name := func(b byte) string {
		if b%32 == 0 {
			return ""
		}
		return strconv.Itoa(int(b % 32))
	}
	var links []sesskeep.Link
	for ; len(data) >= 5; data = data[5:] {
		bits := binary.LittleEndian.Uint16(data[3:])
		l := sesskeep.Link{
			UUID: name(data[0]), Parent: name(data[1]), Logical: name(data[2]),
			Role: sesskeep.Role(bits % 6), Time: int64(bits >> 3 & 7), Sidechain: bits&0x40 != 0,
			Tool: name(byte(bits >> 7 & 3)), Source: name(byte(bits>>9) & 3),
		}
		if bits&0x800 != 0 {
			l.Kind = "bg"
		}
		if l.Role == sesskeep.RoleAnswer {
			l.Message = name(byte(bits >> 12 & 7))
		}
		l.Spoken = l.Role != sesskeep.RoleNote && l.Role != sesskeep.RoleBoundary && (l.Role != sesskeep.RolePrompt || bits&0x8000 == 0)
		links = append(links, l)
	}
	return links
}

func FuzzTree(f *testing.F) {
	f.Add([]byte{}, byte(0))
	f.Add([]byte{1, 0, 0, 4, 0, 2, 1, 0, 5, 0, 3, 2, 0, 3, 0, 4, 3, 0, 5, 0x10}, byte(4))
	f.Add([]byte{1, 2, 0, 4, 0, 2, 1, 0, 5, 0, 2, 1, 0, 5, 0, 3, 3, 0, 4, 0}, byte(2))
	f.Add([]byte{1, 0, 0, 4, 0, 2, 0, 1, 1, 0, 3, 2, 0, 2, 0, 4, 3, 0, 4, 0, 5, 3, 0, 0x44, 0}, byte(9))
	f.Fuzz(func(t *testing.T, data []byte, leaf byte) {
		links := decodeLinks(data)
		hint := sesskeep.Hint{Leaf: strconv.Itoa(int(leaf % 32)), At: int(leaf)}
		tree := sesskeep.Grow(links, hint)
		checkTree(t, links, tree)
		if !reflect.DeepEqual(tree, sesskeep.Grow(links, hint)) {
			t.Fatal("growing it again gave another tree")
		}
	})
}
