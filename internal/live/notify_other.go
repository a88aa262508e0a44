//go:build !linux

package live

func newNotifier() (notifier, error) {
	r, err := newRelay()
	if err != nil {
		return nil, err // and not a relay that is nil
	}
	return r, nil
}
