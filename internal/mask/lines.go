package mask

import "bytes"

// lineWriter returns a writer that calls f with the lines that are written to it.
func lineWriter(f func(line []byte)) *lines { return &lines{f: f} }

type lines struct {
	f    func(line []byte)
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.rest = append(l.rest, p...)
			return n, nil
		}
		l.f(append(l.rest, p[:i]...))
		l.rest, p = l.rest[:0], p[i+1:]
	}
}
