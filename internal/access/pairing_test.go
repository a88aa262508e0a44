package access_test

import (
	"errors"
	"reflect"
	"regexp"
	"testing"
	"time"

	"sesskeep/internal/access"
)

type pairings struct {
	*access.Pairings
	now time.Time
}

func newPairings() *pairings {
	p := &pairings{now: time.Unix(1e9, 0)}
	p.Pairings = &access.Pairings{Life: 2 * time.Minute, Now: func() time.Time { return p.now }}
	return p
}

// A code is claimed once, and gives something only after both numbers were
// compared, once.
func TestPairing(t *testing.T) {
	p := newPairings()
	one := p.Start(access.Grant{Role: access.Manage, Device: true})
	if len(one.Code) < 22 {
		t.Errorf("%q has less than 128 bits", one.Code)
	}
	if _, err := p.Confirm(one.ID); !errors.Is(err, access.ErrNoPairing) {
		t.Errorf("confirmed before it was claimed: %v", err)
	}
	claim, claimed, err := p.Claim(one.Code, "Pixel", "192.168.1.7")
	if err != nil || !regexp.MustCompile(`^\d{3} \d{3}$`).MatchString(claimed.Short) {
		t.Fatalf("%+v, %v", claimed, err)
	}
	if _, _, err := p.Claim(one.Code, "thief", "192.168.1.8"); err == nil {
		t.Error("a code was claimed twice")
	}
	if _, _, err := p.Collect(claim); !errors.Is(err, access.ErrNotYet) {
		t.Errorf("collected before it was confirmed: %v", err)
	}
	for _, guess := range []string{"", one.Code, one.ID, claimed.Short} {
		if _, _, err := p.Collect(guess); !errors.Is(err, access.ErrNoPairing) {
			t.Errorf("collected by %q: %v", guess, err)
		}
	}
	if seen, err := p.Find(one.ID); err != nil || seen.Short != claimed.Short || seen.Device != "Pixel" || seen.From != "192.168.1.7" {
		t.Errorf("the other side sees %+v, %v", seen, err)
	}
	if _, err := p.Confirm(one.ID); err != nil {
		t.Fatal(err)
	}
	_, grant, err := p.Collect(claim)
	if want := (access.Grant{Role: access.Manage, Name: "Pixel", Device: true}); err != nil || !reflect.DeepEqual(grant, want) {
		t.Errorf("it gives %+v, %v", grant, err)
	}
	for range 1000 {
		if _, _, err := p.Collect(claim); err == nil {
			t.Fatal("it was collected twice")
		}
	}
	if seen, err := p.Find(one.ID); err != nil || seen.Status != access.PairingPaired {
		t.Errorf("then it is %+v, %v", seen, err)
	}
}

// What is refused, too late, or guessed at too often gives nothing.
func TestPairingClosed(t *testing.T) {
	for name, end := range map[string]func(p *pairings, id string){
		"refused":  func(p *pairings, id string) { _, _ = p.Refuse(id) },
		"too late": func(p *pairings, _ string) { p.now = p.now.Add(2 * time.Minute) },
	} {
		p := newPairings()
		one := p.Start(access.Grant{Role: access.Read})
		claim, _, err := p.Claim(one.Code, "", "")
		if err != nil {
			t.Fatal(err)
		}
		end(p, one.ID)
		if _, err := p.Confirm(one.ID); err == nil {
			t.Errorf("%s, and confirmed", name)
		}
		if _, _, err := p.Collect(claim); !errors.Is(err, access.ErrNoPairing) {
			t.Errorf("%s, and collected: %v", name, err)
		}
	}
	p := newPairings()
	one := p.Start(access.Grant{Role: access.Read})
	for range 4 {
		_, _, _ = p.Claim("guess", "", "")
	}
	if seen, _ := p.Find(one.ID); seen.Status != access.PairingWaiting {
		t.Errorf("four wrong codes, and it is %s", seen.Status)
	}
	_, _, _ = p.Claim("guess", "", "")
	if _, _, err := p.Claim(one.Code, "", ""); err == nil {
		t.Error("five wrong codes, and the right one is taken")
	}
}

// Who makes many of them does not fill the memory, and the newest is good.
func TestManyPairings(t *testing.T) {
	p := newPairings()
	var last access.Pairing
	for range 1000 {
		last = p.Start(access.Grant{Role: access.Read})
	}
	if _, _, err := p.Claim(last.Code, "", ""); err != nil {
		t.Error(err)
	}
	p.now = p.now.Add(time.Hour)
	if _, err := p.Find(last.ID); !errors.Is(err, access.ErrNoPairing) {
		t.Errorf("it is remembered for ever: %v", err)
	}
}
