package access

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"
)

// Pairings let devices in that have no token yet.
//
// Begin makes a code, which a person carries to the device. The device Claims it
// once, and both sides show the same short number. When the person has compared
// them and said so by Confirm, the device Collects what it was granted. A code
// that somebody else claims first shows another number, and is refused.
//
//	waiting ─ Claim ─▶ claimed ─ Confirm ─▶ confirmed ─ Collect ─▶ paired
//	   ╰────────┴─ Refuse, too many wrong codes, or too late ─▶ closed
type Pairings struct {
	Life time.Duration // from Begin to Collect
	Now  func() time.Time

	mu   sync.Mutex
	open []*Pairing
}

// Pairing is one of them.
type Pairing struct {
	ID        string
	Code      string // what the device shows that it was given
	Short     string // what both sides show, once it is claimed
	Device    string // what the device calls itself
	From      string // the address it came from
	Status    PairingStatus
	TokenID   string // of the token it got, when it is paired
	ExpiresAt time.Time

	grant Grant
	claim string // by which the device collects
	tries int    // wrong codes while it was open
}

// PairingStatus is how far a Pairing is.
type PairingStatus string

// The states of a Pairing.
const (
	PairingWaiting   PairingStatus = "waiting"
	PairingClaimed   PairingStatus = "claimed"
	PairingConfirmed PairingStatus = "confirmed"
	PairingPaired    PairingStatus = "paired"
	PairingClosed    PairingStatus = "closed"
)

// The errors of Pairings.
var (
	ErrNoPairing = errors.New("no such pairing, or it is closed")
	ErrNotYet    = errors.New("it has not been confirmed yet")
)

// The bounds of Pairings: wrong codes that close one, and how many are open.
const (
	maxTries    = 5
	maxPairings = 8
)

// Begin makes a Pairing that gives a device what is granted.
func (p *Pairings) Begin(g Grant) Pairing {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire()
	if len(p.open) >= maxPairings {
		p.open = p.open[1:]
	}
	one := &Pairing{ID: newID(), Code: newCode(), Status: PairingWaiting, ExpiresAt: p.Now().Add(p.Life), grant: g}
	p.open = append(p.open, one)
	return *one
}

// Claim takes a code for a device, once, and gives what it collects by. A wrong
// code counts against everything that is open: nobody knows which one was meant.
func (p *Pairings) Claim(code, device, from string) (claim string, _ Pairing, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire()
	for _, one := range p.open {
		if one.Status == PairingWaiting && subtle.ConstantTimeCompare([]byte(one.Code), []byte(code)) == 1 {
			one.Status, one.Device, one.From, one.Short, one.claim = PairingClaimed, device, from, newShort(), newCode()
			return one.claim, *one, nil
		}
	}
	for _, one := range p.open {
		if one.tries++; one.tries >= maxTries && one.Status == PairingWaiting {
			one.Status = PairingClosed
		}
	}
	return "", Pairing{}, ErrNoPairing
}

// Find tells how far a Pairing is.
func (p *Pairings) Find(id string) (Pairing, error) {
	return p.step(id, func(*Pairing) error { return nil })
}

// Confirm says that both sides show the same number.
func (p *Pairings) Confirm(id string) (Pairing, error) {
	return p.step(id, func(one *Pairing) error {
		if one.Status != PairingClaimed {
			return ErrNoPairing
		}
		one.Status = PairingConfirmed
		return nil
	})
}

// Refuse closes a Pairing: whoever claimed it gets nothing.
func (p *Pairings) Refuse(id string) (Pairing, error) {
	return p.step(id, func(one *Pairing) error {
		if one.Status != PairingPaired {
			one.Status = PairingClosed
		}
		return nil
	})
}

// Collect gives a device what it was granted, once, when that is confirmed. Until
// then it is ErrNotYet. Paired says which token was made of it.
func (p *Pairings) Collect(claim string) (Pairing, Grant, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire()
	for _, one := range p.open {
		if one.claim == "" || subtle.ConstantTimeCompare([]byte(one.claim), []byte(claim)) != 1 {
			continue
		}
		switch one.Status {
		case PairingClaimed:
			return *one, Grant{}, ErrNotYet
		case PairingConfirmed:
			one.Status = PairingPaired
			g := one.grant
			if g.Name == "" {
				g.Name = one.Device
			}
			return *one, g, nil
		}
	}
	return Pairing{}, Grant{}, ErrNoPairing
}

// Paired notes the token that a device got.
func (p *Pairings) Paired(id, token string) {
	_, _ = p.step(id, func(one *Pairing) error { one.TokenID = token; return nil }) // which may be forgotten by now
}

func (p *Pairings) step(id string, change func(*Pairing) error) (Pairing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire()
	for _, one := range p.open {
		if one.ID == id {
			err := change(one)
			return *one, err
		}
	}
	return Pairing{}, ErrNoPairing
}

// expire closes what is too late. It is forgotten after as long again, so that
// whoever waits learns what became of it.
func (p *Pairings) expire() {
	now := p.Now()
	kept := p.open[:0]
	for _, one := range p.open {
		if !now.Before(one.ExpiresAt) && one.Status != PairingPaired {
			one.Status = PairingClosed
		}
		if now.Before(one.ExpiresAt.Add(p.Life)) {
			kept = append(kept, one)
		}
	}
	p.open = kept
}

// newShort is a number that people compare.
func newShort() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic("access: " + err.Error()) // the system's random numbers never fail
	}
	return fmt.Sprintf("%03d %03d", n.Int64()/1000, n.Int64()%1000)
}

// newCode is a code of more than 128 bits.
func newCode() string {
	var b [18]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
