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

// Pairings give tokens to devices that have none yet.
//
// Start creates a code, which a person carries to the device. The device Claims it
// once, and both sides show the same short number. When the person has compared
// them and confirmed that by Confirm, the device Collects its grant. A code that
// somebody else claims first shows another number, and is refused.
//
//	waiting ─ Claim ─▶ claimed ─ Confirm ─▶ confirmed ─ Collect ─▶ paired
//	   ╰────────┴─ Refuse, too many wrong codes, or too late ─▶ closed
type Pairings struct {
	Life time.Duration // from Start to Collect
	Now  func() time.Time

	mu   sync.Mutex
	open []*Pairing
}

// Pairing is the pairing of one device.
type Pairing struct {
	ID        string
	Code      string // the code that the device has to present
	Short     string // the number that both sides show once it is claimed
	Device    string // what the device calls itself
	From      string // the address it came from
	Status    PairingStatus
	TokenID   string // of the token that the device got
	ExpiresAt time.Time

	grant Grant
	claim string // secret with which the device collects
	tries int    // wrong codes while it was open
}

// PairingStatus is the state of a Pairing.
type PairingStatus string

// The states of a Pairing.
const (
	PairingWaiting   PairingStatus = "waiting"
	PairingClaimed   PairingStatus = "claimed"
	PairingConfirmed PairingStatus = "confirmed"
	PairingPaired    PairingStatus = "paired"
	PairingClosed    PairingStatus = "closed"
)

// PairingStatuses lists all states of a Pairing.
var PairingStatuses = []PairingStatus{PairingWaiting, PairingClaimed, PairingConfirmed, PairingPaired, PairingClosed}

// The errors of Pairings.
var (
	ErrNoPairing = errors.New("no such pairing, or it is closed")
	ErrNotYet    = errors.New("it has not been confirmed yet")
)

// The limits of Pairings: wrong codes that close one, and how many are open.
const (
	maxTries    = 5
	maxPairings = 8
)

// Start creates a Pairing that gives a device a grant.
func (p *Pairings) Start(g Grant) Pairing {
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

// Claim accepts a code from a device, once, and returns the secret for Collect. A
// wrong code counts against every open pairing, because it could be meant for any of
// them.
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

// Find returns a Pairing.
func (p *Pairings) Find(id string) (Pairing, error) {
	return p.step(id, func(*Pairing) error { return nil })
}

// Confirm records that both sides show the same number.
func (p *Pairings) Confirm(id string) (Pairing, error) {
	return p.step(id, func(one *Pairing) error {
		if one.Status != PairingClaimed {
			return ErrNoPairing
		}
		one.Status = PairingConfirmed
		return nil
	})
}

// Refuse closes a Pairing: the device that claimed it gets nothing.
func (p *Pairings) Refuse(id string) (Pairing, error) {
	return p.step(id, func(one *Pairing) error {
		if one.Status != PairingPaired {
			one.Status = PairingClosed
		}
		return nil
	})
}

// Collect returns the grant of a device, once, after it was confirmed. Until then the
// error is ErrNotYet. The caller then calls Paired with the token it created.
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

// Paired records the token that a device got.
func (p *Pairings) Paired(id, token string) {
	_, _ = p.step(id, func(one *Pairing) error { one.TokenID = token; return nil }) // the pairing may be forgotten by now
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

// expire closes expired pairings. They are forgotten after the same time again, so
// that waiting callers learn how they ended.
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

// newShort returns a number for people to compare.
func newShort() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic("access: " + err.Error()) // the system's random numbers never fail
	}
	return fmt.Sprintf("%03d %03d", n.Int64()/1000, n.Int64()%1000)
}

// newCode returns a code of more than 128 bits.
func newCode() string {
	var b [18]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
