package insight

import (
	"fmt"
	"strings"

	"sesskeep/internal/insight"
	"sesskeep/internal/term"
)

// The size of a chart, in cells.
const (
	chartRows   = 8
	chartScale  = 8 // cells of the numbers beside it
	chartLeast  = 20
	chartWidest = 100
)

// chart draws the context over the answers: a column for some answers each, which shows the largest
// of them, by kind from below. Two signs stand where colours do not tell kinds apart.
func chart(s term.Screen, use *insight.ContextUse) []string {
	width := min(max(s.Width-chartScale, chartLeast), chartWidest, len(use.Points))
	highest := use.Window
	for i := range use.Points {
		highest = max(highest, use.Points[i].Tokens)
	}
	if top := largestOf(use.Points); top*2 < highest {
		highest = top // a window that is nearly empty hides what fills it
	}
	columns := make([]*insight.ContextPoint, width)
	for i := range use.Points {
		if c := &columns[i*width/len(use.Points)]; *c == nil || (*c).Tokens < use.Points[i].Tokens {
			*c = &use.Points[i]
		}
	}
	var lines []string
	for row := chartRows; row > 0; row-- {
		number := ""
		if row == chartRows || row == chartRows/2 {
			number = term.Tokens(highest * int64(row) / chartRows)
		}
		var b strings.Builder
		for _, p := range columns {
			b.WriteString(cell(s, p, highest, row))
		}
		lines = append(lines, s.Paint(term.Dim, fmt.Sprintf("%*s ", chartScale-2, number))+strings.TrimRight(b.String(), " "))
	}
	legend := fmt.Sprintf("answer 1 to %d", use.Answers)
	return append(lines, s.Paint(term.Dim, fmt.Sprintf("%*s %s", chartScale-2, "", legend)))
}

func largestOf(points []insight.ContextPoint) (n int64) {
	for i := range points {
		n = max(n, points[i].Tokens)
	}
	return n
}

// cell is the part of a column that lies in a row, from 1 at the bottom: as high as the column
// there, in the style of the kind in its middle.
func cell(s term.Screen, p *insight.ContextPoint, highest int64, row int) string {
	low := highest * int64(row-1) / chartRows
	if p == nil || p.Tokens <= low {
		return " "
	}
	sign := "#"
	if !s.ASCII {
		steps := []rune("▁▂▃▄▅▆▇█")
		part := min((p.Tokens-low)*chartRows*int64(len(steps))/max(1, highest), int64(len(steps))-1)
		sign = string(steps[part])
	}
	middle, sum := low+min(p.Tokens-low, highest/chartRows)/2, int64(0)
	for _, k := range kindsOf(&p.Kinds) {
		if sum += k.tokens; sum > middle {
			return s.Paint(k.style, sign)
		}
	}
	return sign
}
