package sesskeep

// numbers has a line or a turn for each line of a transcript, or less than 0. There are
// several of them while a tree is grown, so they take half of what ints would.
type numbers []int32

// noNumbers is -1 for so many lines.
func noNumbers(lines int) numbers {
	n := make(numbers, lines)
	for i := range n {
		n[i] = -1
	}
	return n
}

func (n numbers) at(line int) int        { return int(n[line]) }
func (n numbers) set(line, value int)    { n[line] = int32(value) }
func (n numbers) with(value int) numbers { return append(n, int32(value)) }
