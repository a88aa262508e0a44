package sesskeep_test

import (
	"reflect"
	"strconv"
	"testing"

	"sesskeep"

	"pgregory.net/rapid"
)

// checkPieces grows a tree in pieces and compares it with one grown whole after
// each. The trees before must stay as they were. It tells how often the tree
// had to be grown anew.
func checkPieces(t fataler, links []sesskeep.Link, hints func(n int) sesskeep.Hint, cuts []int) int {
	t.Helper()
	var growing sesskeep.Growing
	trees := make([]*sesskeep.Tree, len(cuts))
	for i, n := range cuts {
		trees[i] = growing.More(links[:n:n], hints(n))
	}
	for i, n := range cuts {
		if want := sesskeep.Grow(links[:n], hints(n)); !reflect.DeepEqual(trees[i], want) {
			t.Fatalf("after %d of %d lines (cuts %v)\n got %+v\nwant %+v", n, len(links), cuts, trees[i], want)
		}
	}
	return growing.Rebuilt
}

// everyLine cuts n lines after each.
func everyLine(n int) []int {
	cuts := make([]int, n+1)
	for i := range cuts {
		cuts[i] = i
	}
	return cuts
}

func TestGrowPieces(t *testing.T) {
	for _, tt := range treeTests {
		t.Run(tt.name, func(t *testing.T) {
			links, hint := parseLinks(t, tt.lines)
			checkPieces(t, links, func(int) sesskeep.Hint { return hint }, everyLine(len(links)))
		})
	}
}

// A line below a turn that was merged into another is not always of the answer
// that stands there.
func TestGrowPiecesMerged(t *testing.T) {
	for _, lines := range []string{
		"P:a<%t=1 A:b<a#m=2 P:c<%t=1 A:d<c#m=3",    // below a replayed prompt
		"P:a<%t=1 A:b<a#m=2 P:c<%t=1 A:d<c#m=2",    // and replayed itself
		"P:a< M:b<a#m P:c<a A:d<b#m P:e<d",         // below an answer that was made up
		"P:a< M:b<a#m P:c<a N:d<b P:e<d A:f<e#m",   // and a note below it
		"P:a< W:b<a#m I:c<b M:d<a#n P:e<d A:f<e",   // beside an answer without a word
		"P:a< W:b<a#m M:d<a#n P:e<d A:f<b#m P:g<f", // which has one in the end
		"P:a< P:b<a W:c<a#m@t R:d<c@t%typed",       // or gets one with a result
	} {
		links, hint := parseLinks(t, lines)
		checkPieces(t, links, func(int) sesskeep.Hint { return hint }, everyLine(len(links)))
	}
}

// genTalk draws lines the way a client writes them, with a rare oddity.
func genTalk(t *rapid.T) []sesskeep.Link {
	n := rapid.IntRange(1, 120).Draw(t, "lines")
	links := make([]sesskeep.Link, 0, n)
	message, call := 0, 0
	for i := range n {
		back := 1
		if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
			back = rapid.IntRange(1, 8).Draw(t, "how far")
		}
		l := sesskeep.Link{UUID: strconv.Itoa(i), Time: int64(i + 1), Spoken: true}
		if i >= back {
			l.Parent = strconv.Itoa(i - back)
		}
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0, 1:
			l.Role, l.Text = sesskeep.RolePrompt, strconv.Itoa(i)
			l.Spoken = rapid.IntRange(0, 3).Draw(t, "queued") > 0
		case 2, 3, 4, 5:
			message += rapid.IntRange(0, 1).Draw(t, "next answer")
			l.Role, l.Message = sesskeep.RoleAnswer, "m"+strconv.Itoa(message)
			l.MadeUp = rapid.IntRange(0, 9).Draw(t, "made up") == 0
			l.Wordless = rapid.IntRange(0, 4).Draw(t, "wordless") == 0
			if rapid.Bool().Draw(t, "calls") {
				call++
				l.Tool = "c" + strconv.Itoa(call)
			}
		case 6, 7:
			l.Role, l.Tool = sesskeep.RoleResult, "c"+strconv.Itoa(max(0, call-rapid.IntRange(0, 2).Draw(t, "which")))
			l.Text = rapid.SampledFrom([]string{"", "", "typed"}).Draw(t, "typed beside it")
		case 8:
			l.Role, l.Spoken = sesskeep.RoleNote, false
			if l.Progress = rapid.Bool().Draw(t, "progress"); l.Progress && rapid.IntRange(0, 3).Draw(t, "below nothing") == 0 {
				l.Parent = ""
			}
			if rapid.IntRange(0, 3).Draw(t, "only in the queue") == 0 {
				l.Role, l.UUID, l.Parent, l.Text = sesskeep.RolePrompt, "", "", "later"
			}
		default:
			l.Role = rapid.SampledFrom([]sesskeep.Role{sesskeep.RoleInjected, sesskeep.RoleBoundary}).Draw(t, "other")
			if l.Role == sesskeep.RoleBoundary {
				l.Spoken, l.Logical, l.Parent = false, l.Parent, ""
			}
		}
		links = append(links, l)
	}
	return links
}

func TestGrowPiecesLaw(t *testing.T) {
	lines, anew := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		links := rapid.OneOf(rapid.Custom(genTalk), rapid.Custom(genLinks)).Draw(t, "links")
		leaf := strconv.Itoa(rapid.IntRange(0, 41).Draw(t, "leaf"))
		at := rapid.IntRange(0, len(links)).Draw(t, "at")
		cuts := []int{0}
		for n := 0; n < len(links); cuts = append(cuts, n) {
			n = min(len(links), n+rapid.SampledFrom([]int{1, 1, 1, 2, 5, 40}).Draw(t, "piece"))
		}
		anew += checkPieces(t, links, func(n int) sesskeep.Hint {
			if n < at {
				return sesskeep.Hint{}
			}
			return sesskeep.Hint{Leaf: leaf, At: at}
		}, cuts)
		lines += len(cuts)
	})
	if anew*10 > lines*9 {
		t.Errorf("%d of %d pieces were grown anew: the law was hardly tried", anew, lines)
	}
}

// A session as clients write it, with parallel calls, attachments, a compaction,
// words beside a result and an answer that goes on after a prompt, is never grown
// anew after its first prompt.
func TestGrowGoesOn(t *testing.T) {
	const lines = "P:a<=1 N:n<a=2 A:b<n#m@1=3 A:c<b#m@2=4 A:d<c#m@3=5 R:e<b@1=6 R:f<c@2=7 R:g<d@3=8 N:h<g=9 " +
		"A:i<h#o=10 N:j<i=11 I:k<j=12 P:l<k=13 Q:q<l=14 A:r<q#p@4=15 R:s<r@4%typed=16 R:t<e@1=17 " +
		"A:u<s#x=18 P:v<u=19 A:w<v#x=20 M:y<w#z=21 P:1<y=22"
	links, hint := parseLinks(t, lines)
	cuts := everyLine(len(links))[1:]
	if anew := checkPieces(t, links, func(int) sesskeep.Hint { return hint }, cuts); anew > 0 {
		t.Errorf("grown anew %d times", anew)
	}
}

func FuzzGrowPieces(f *testing.F) {
	f.Add([]byte{1, 0, 0, 4, 0, 2, 1, 0, 5, 0, 3, 2, 0, 3, 0, 4, 3, 0, 5, 0x10}, byte(4), byte(1))
	f.Add([]byte{1, 0, 0, 4, 0, 2, 0, 1, 1, 0, 3, 2, 0, 2, 0, 4, 3, 0, 4, 0, 5, 3, 0, 0x44, 0}, byte(9), byte(2))
	f.Fuzz(func(t *testing.T, data []byte, leaf, piece byte) {
		links := decodeLinks(data)
		cuts := []int{0}
		for n := 0; n < len(links); cuts = append(cuts, n) {
			n = min(len(links), n+1+int(piece%8))
		}
		hint := sesskeep.Hint{Leaf: strconv.Itoa(int(leaf % 32)), At: int(leaf)}
		checkPieces(t, links, func(int) sesskeep.Hint { return hint }, cuts)
	})
}
