package price

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Amount is money in picodollars, a millionth of a millionth of a US dollar:
// fine enough for one token at any price, halved and raised by a tenth. The maximum
// is 9.2 million dollars.
type Amount int64

// Dollar is one US dollar.
const Dollar Amount = 1e12

// Add returns the sum of two amounts, at most the largest Amount: damaged
// counters must not wrap around to a credit.
func (a Amount) Add(b Amount) Amount {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// USD returns the amount in dollars, for charts; sums must use Amounts.
func (a Amount) USD() float64 { return float64(a) / float64(Dollar) }

// String formats the amount in cents: $2.14, $1,204.50. An amount that rounds to zero
// without being zero is <$0.01.
func (a Amount) String() string {
	const cent = Dollar / 100
	if a > 0 && a < cent/2 {
		return "<$0.01"
	}
	cents := a / cent
	if a%cent >= cent/2 {
		cents++
	}
	digits := decimal(int64(cents), 2, 2)
	for i := len(digits) - len(".00") - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return "$" + digits
}

// Exact formats the amount with all its decimals: $0.04648.
func (a Amount) Exact() string { return "$" + decimal(int64(a), 12, 2) }

// MarshalJSON writes the amount as a number of dollars with all its decimals.
func (a Amount) MarshalJSON() ([]byte, error) {
	return []byte(decimal(int64(a), 12, 0)), nil
}

// Rate is the price of one token in picodollars, which is also the price of a million
// of them in microdollars. It is written in dollars per million.
type Rate int64

// Of returns the price of n tokens.
func (r Rate) Of(n int64) Amount {
	if r <= 0 || n <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(r), uint64(n))
	if hi > 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return Amount(lo)
}

// String formats the price of a million: 4.00, 0.125.
func (r Rate) String() string { return decimal(int64(r), 6, 2) }

// MarshalJSON writes the price of a million as a number.
func (r Rate) MarshalJSON() ([]byte, error) { return []byte(decimal(int64(r), 6, 0)), nil }

// Factor multiplies a rate, in millionths: 500000 is half of it.
type Factor int64

// unchanged is the factor 1. A factor of 0 in a Price means the same.
const unchanged Factor = 1e6

func (f Factor) of(r Rate) Rate {
	if f == 0 {
		return r
	}
	// The limits on a file keep this product below 2^63.
	return (r*Rate(f) + Rate(unchanged)/2) / Rate(unchanged)
}

// String formats the factor as a number: 0.5, 1.1.
func (f Factor) String() string { return decimal(int64(f), 6, 0) }

// MarshalJSON writes the factor as a number.
func (f Factor) MarshalJSON() ([]byte, error) { return []byte(f.String()), nil }

// decimal formats n with its decimal point places from the right. It drops trailing
// zeros, but keeps the first keep decimals.
func decimal(n int64, places, keep int) string {
	sign := ""
	if n < 0 {
		sign = "-"
	}
	digits := strings.TrimPrefix(strconv.FormatInt(n, 10), "-")
	if short := places + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	whole, fraction := digits[:len(digits)-places], digits[len(digits)-places:]
	for len(fraction) > keep && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

var (
	errDecimals = errors.New("has more than 6 decimals")
	errPlain    = errors.New("is not a plain number such as 0.125")
)

// millionths parses a decimal number exactly.
func millionths(s string) (int64, error) {
	const places = 6
	whole, fraction, _ := strings.Cut(s, ".")
	if len(fraction) > places {
		return 0, errDecimals
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", places-len(fraction)), 10, 64)
	if err != nil {
		return 0, errPlain
	}
	return n, nil
}
