package holder

import "time"

// SetNoticeTime gives notices another time, until the test calls what it returns.
func SetNoticeTime(d time.Duration) (back func()) {
	was := noticeTime
	noticeTime = d
	return func() { noticeTime = was }
}
