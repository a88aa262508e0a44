package money

import (
	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/price"
)

// Pricer prices messages one by one.
type Pricer struct{ meter *meter }

// NewPricer returns a Pricer; nil stands for the built-in prices.
func NewPricer(p *Prices) *Pricer { return &Pricer{newMeter(p)} }

// Price returns what a message cost; false if its model has no price.
func (p *Pricer) Price(m *ask.Message) (price.Amount, bool) { return p.PriceAs(m, m.Usage) }

// PriceAs returns what other tokens would have cost in the place of those of a message.
func (p *Pricer) PriceAs(m *ask.Message, u sesskeep.Usage) (price.Amount, bool) {
	if m.Model == sesskeep.SyntheticModel {
		return 0, true
	}
	found := p.meter.price(p.meter.part(m))
	if found == nil {
		return 0, false
	}
	return found.Total(u), true
}
