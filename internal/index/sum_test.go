package index

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// group is what the messages of a sum have in common.
type group struct {
	root, id, session, model string
	day                      int64
	band                     int
	sidechain, fast          bool
}

// grouped adds up sums.
func grouped(visit func(func(*ask.Sum)) error) (map[group]ask.Sum, error) {
	all := map[group]ask.Sum{}
	err := visit(func(s *ask.Sum) {
		k := group{s.Location.Root, s.Location.ID, s.Location.Session, s.Model, s.Day, s.Band, s.Sidechain, s.Usage.Fast}
		one, had := all[k], *s
		had.Location = nil
		if one.Messages > 0 {
			one.Add(&had)
		} else {
			one = had
		}
		all[k] = one
	})
	return all, err
}

// sameSums compares what is kept added up with the messages themselves.
func sameSums(t *testing.T, x *Index, homes []ask.Home, ids []string) (messages int) {
	t.Helper()
	ctx := context.Background()
	got, err := grouped(func(give func(*ask.Sum)) error { return x.SessionSums(ctx, homes, ids, give) })
	if err != nil {
		t.Fatal(err)
	}
	want, err := grouped(func(give func(*ask.Sum)) error {
		return x.SessionMessages(ctx, homes, ids, func(m *ask.Message) {
			s := ask.SumOf(m)
			give(&s)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range want {
		messages += s.Messages
	}
	if !maps.Equal(got, want) {
		t.Errorf("of %d sessions in %d homes there are %d sums, %d by messages:\n%+v\n%+v", len(ids), len(homes), len(got), len(want), got, want)
	}
	return messages
}

// What is kept added up is the sum of the messages that count: of one session and of
// many, in one home and where a copy of it has what counts, before and after a file
// grows and is packed. To ask writes nothing.
func TestSums(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 7)
	if err != nil {
		t.Fatal(err)
	}
	other := copyHome(t, c.Dir)
	x := openAt(t, t.TempDir())
	defer x.Close()
	homes := []ask.Home{homeAt(t, c.Dir), homeAt(t, other)}
	if _, err := x.Walk(context.Background(), homes, Options{}); err != nil {
		t.Fatal(err)
	}
	page, err := x.List(context.Background(), ask.Filter{Source: "all"})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var grown string
	for _, r := range page.Sessions {
		ids = append(ids, r.ID)
		if r.Root == c.Dir && r.Ref.Agent == "" && r.MessageCount > 2 {
			grown = r.Ref.File
		}
	}
	both, one, copies := homes, homes[:1], homes[1:]
	rng := rand.New(rand.NewPCG(3, 4))
	try := func() {
		t.Helper()
		all := sameSums(t, x, both, ids)
		if n := sameSums(t, x, one, ids); n != all || n == 0 {
			t.Errorf("one home has %d messages, both %d", n, all)
		}
		sameSums(t, x, copies, ids)
		for range 20 {
			sameSums(t, x, [][]ask.Home{both, one, copies}[rng.IntN(3)], []string{ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]})
		}
	}
	try()
	line := `{"type":"assistant","uuid":"5a5a5a5a-0000-4000-8000-000000000000","parentUuid":null,"timestamp":"2026-11-15T10:00:00Z","message":{"id":"msg_new","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":250000,"output_tokens":7}}}` + "\n"
	f, err := os.OpenFile(filepath.Join(c.Dir, filepath.FromSlash(grown)), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Repeat(line, 2)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Absorb(context.Background(), []Change{{Home: homes[0], Name: grown}}, Options{}); err != nil {
		t.Fatal(err)
	}
	loose := func() (n int) {
		t.Helper()
		if err := x.db.QueryRowContext(t.Context(), "SELECT count(*) FROM unpacked").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := loose()
	try()
	if after := loose(); before == 0 || after != before {
		t.Errorf("%d files were not packed before they were asked about, %d after it: a query must not write", before, after)
	}
	if err := x.Pack(context.Background()); err != nil || loose() != 0 {
		t.Errorf("%d files are not packed: %v", loose(), err)
	}
	try()
}
