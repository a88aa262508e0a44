package term

// A test has no terminal, which Page asks for before it uses these.
var (
	StartPager   = startPager
	PagerCommand = pagerCommand
)
