package term

import "io"

type Exit struct{ w io.Writer }

func (e *Exit) Raw() io.Writer { return e.w }

func (e *Exit) Write(p []byte) (int, error) { return e.w.Write(p) }
