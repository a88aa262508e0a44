package runs

import (
	"cmp"
	"fmt"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
)

// RunDay is what the runs of a day cost, in dollars, according to their clients.
type RunDay struct {
	USD      float64 `json:"usd" doc:"Cost since midnight"`
	Forecast float64 `json:"forecastUsd" doc:"Expected cost by the next midnight, at the rate of the last hour"`
	Budget   float64 `json:"budgetUsd,omitempty" doc:"Limit for the cost of all runs started here"`
	// AtLeast is true if a run cannot be read whole.
	AtLeast bool `json:"atLeast,omitempty" doc:"True if the cost is a lower bound, because a run cannot be read whole"`
}

func (r *Runs) now() time.Time {
	if r.opts.Now != nil {
		return r.opts.Now()
	}
	return time.Now()
}

// today returns what all runs cost today, with a forecast. With an error comes what is known.
func (r *Runs) today() (RunDay, error) {
	now := r.now()
	midnight := holder.Midnight(now)
	day := RunDay{Budget: r.opts.DayBudget}
	spent, err := r.store.Spent(midnight)
	lately, errLately := r.store.Spent(now.Add(-time.Hour))
	err = cmp.Or(err, errLately)
	day.AtLeast = err != nil
	left := midnight.AddDate(0, 0, 1).Sub(now)
	day.USD = float64(spent)
	day.Forecast = float64(spent) + float64(lately)*left.Hours()
	return day, err
}

// checkDayBudget returns an error if the budget of the day is spent.
func (r *Runs) checkDayBudget() error {
	if r.opts.DayBudget <= 0 {
		return nil
	}
	day, err := r.today()
	if err == nil && day.USD >= r.opts.DayBudget {
		err = errcode.New(errcode.Conflict, fmt.Errorf("the budget of the day is spent: $%.2f of $%.2f", day.USD, r.opts.DayBudget))
	}
	return err
}

// CheckNotice returns an error if destination is not a destination for notices.
func CheckNotice(destination string) error { return holder.CheckNotice(destination) }
