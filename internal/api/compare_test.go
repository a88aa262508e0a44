package api_test

import (
	"reflect"
	"slices"
	"testing"

	"sesskeep/internal/access"
)

type comparison struct {
	SharedTurns int
	ForkPoint   string
	A, B        struct {
		Leaf       string
		TurnCount  int
		TurnsAfter int
		Blocks     []struct{ MessageID string }
	}
}

// Two conversations share what both begin with and nothing after it.
func TestCompare(t *testing.T) {
	w := sharedWorld(t)
	type conversations struct{ Conversations []struct{ Leaf string } }
	compared := 0
	for _, s := range get[sessionPage](w, "/sessions?limit=500").Sessions {
		list := get[conversations](w, "/sessions/"+s.ID+"/conversations").Conversations
		for i := 1; i < len(list); i++ {
			compared++
			at := "/sessions/" + s.ID + "/compare?limit=500&a=" + list[i-1].Leaf + "&b=" + list[i].Leaf
			c := get[comparison](w, at)
			if c.A.Leaf != list[i-1].Leaf || c.B.Leaf != list[i].Leaf || c.A.TurnCount+c.B.TurnCount == 0 {
				t.Errorf("%s: %+v", at, c)
			}
			named := "/sessions/" + s.ID + "/compare?limit=500&a=" + list[i-1].Leaf + "&b=" + s.ID + ":" + list[i].Leaf
			if same := get[comparison](w, named); !reflect.DeepEqual(same, c) {
				t.Errorf("%s: %+v, want %+v", named, same, c)
			}
			for _, one := range c.A.Blocks {
				if slices.ContainsFunc(c.B.Blocks, func(b struct{ MessageID string }) bool { return b.MessageID == one.MessageID && one.MessageID != "" }) {
					t.Errorf("%s: %s is on both sides", at, one.MessageID)
				}
			}
			whole := get[blockPage](w, "/sessions/"+s.ID+"/blocks?before=500&leaf="+list[i-1].Leaf)
			if tail := whole.Blocks[len(whole.Blocks)-len(c.A.Blocks):]; len(tail) > 0 && tail[0].MessageID != c.A.Blocks[0].MessageID {
				t.Errorf("%s: the side does not end the conversation", at)
			}
		}
		if len(list) > 0 {
			if c := get[comparison](w, "/sessions/"+s.ID+"/compare?a="+list[0].Leaf+"&b="+list[0].Leaf); c.A.TurnCount+c.B.TurnCount != 0 {
				t.Errorf("%s differs from itself: %+v", s.ID, c)
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	do[map[string]any](w, access.Read, "GET", "/sessions/39877/compare?a=ffffffff&b=ffffffff:ffffffff", "", 404)
	do[map[string]any](w, access.Read, "GET", "/sessions/39877/compare?a=1234", "", 400)
	do[map[string]any](w, access.Read, "GET", "/sessions/39877/compare?a=ffffffff&b=ffffffff", "", 404)
}
