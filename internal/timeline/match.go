package timeline

import "slices"

// What Match returns for a line that it finds in no earlier content.
const (
	fresh    = -1 // the line is new
	doubtful = -2 // too many lines changed to say whether it is new
)

// mostWork bounds the comparison of two texts.
const mostWork = 2 << 20

// Match returns for each line after a change the index of the same line before it; less than 0: it
// finds none, or cannot say. It matches as many lines as possible in the same order. A line end at the end of the file does not make another line.
func Match(before, after []Line) []int {
	from := make([]int, len(after))
	for i := range from {
		from[i] = fresh
	}
	a, b := numbers(before, after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		from[start] = start
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA--
		endB--
		from[endB] = endA
	}
	if !shortest(a[start:endA], b[start:endB], func(i, j int) { from[start+j] = start + i }) {
		anchors(a[start:endA], b[start:endB], from[start:endB], start)
	}
	return from
}

// numbers names equal lines by equal numbers.
func numbers(before, after []Line) (a, b []int) {
	known := map[string]int{}
	number := func(list []Line) []int {
		of := make([]int, len(list))
		for i := range list {
			text := bare(list[i].Text)
			n, ok := known[text]
			if !ok {
				n = len(known)
				known[text] = n
			}
			of[i] = n
		}
		return of
	}
	return number(before), number(after)
}

// shortest finds the shortest edit script (Myers) and gives the pairs of equal elements. It
// reports false if that takes too much work.
func shortest(a, b []int, pair func(i, j int)) bool {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return true
	}
	most := n + m
	reach := make([]int, 2*most+3) // how far each diagonal k got in a, at most+k
	mid := most + 1
	var trace [][]int // reach before each round, of its diagonals
	work := 0
	for d := 0; d <= most; d++ {
		if work += 2*d + 3; work > mostWork {
			return false
		}
		trace = append(trace, slices.Clone(reach[mid-d-1:mid+d+2]))
		for k := -d; k <= d; k += 2 {
			x := reach[mid+k-1] + 1
			if k == -d || k != d && reach[mid+k-1] < reach[mid+k+1] {
				x = reach[mid+k+1]
			}
			y := x - k
			for x < n && y < m && a[x] == b[y] {
				x++
				y++
			}
			reach[mid+k] = x
			if x >= n && y >= m {
				walkBack(trace, n, m, pair)
				return true
			}
		}
	}
	return true
}

// walkBack follows the rounds of shortest from the end, and gives the pairs.
func walkBack(trace [][]int, x, y int, pair func(i, j int)) {
	for d := len(trace) - 1; d >= 0; d-- {
		reach, mid := trace[d], d+1
		k := x - y
		from := k - 1
		if k == -d || k != d && reach[mid+k-1] < reach[mid+k+1] {
			from = k + 1
		}
		beforeX := reach[mid+from]
		beforeY := beforeX - from
		if d == 0 {
			beforeX, beforeY = 0, 0
		}
		for x > beforeX && y > beforeY {
			x--
			y--
			pair(x, y)
		}
		x, y = beforeX, beforeY
	}
}

// anchors pairs the lines that each text has once, in the order of the longest common run. Other
// lines that both texts have are doubtful.
func anchors(a, b, from []int, offset int) {
	at, inA, inB := map[int]int{}, map[int]int{}, map[int]int{}
	for i, n := range a {
		at[n] = i
		inA[n]++
	}
	for _, n := range b {
		inB[n]++
	}
	var once []int // positions in b
	for j, n := range b {
		if inA[n] > 0 {
			from[j] = doubtful
		}
		if inA[n] == 1 && inB[n] == 1 {
			once = append(once, j)
		}
	}
	for _, j := range ascending(once, func(j int) int { return at[b[j]] }) {
		from[j] = offset + at[b[j]]
	}
}

// ascending returns the longest part of a list whose values ascend.
func ascending(list []int, value func(int) int) (longest []int) {
	var ends []int // of each length, the element with the smallest value
	before := map[int]int{}
	for _, e := range list {
		n, _ := slices.BinarySearchFunc(ends, e, func(x, y int) int { return value(x) - value(y) })
		if n > 0 {
			before[e] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, e)
		} else {
			ends[n] = e
		}
	}
	if len(ends) == 0 {
		return nil
	}
	longest = append(longest, ends[len(ends)-1])
	for e, ok := before[longest[0]]; ok; e, ok = before[e] {
		longest = append(longest, e)
	}
	slices.Reverse(longest)
	return longest
}
