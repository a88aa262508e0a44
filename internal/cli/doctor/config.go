package doctor

import (
	"errors"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/config"
	"sesskeep/internal/health"
)

// configNote is what the doctor reports about the file; nil: nothing is wrong.
func configNote(sh *shell.Shell) *health.ConfigNote {
	err := shell.ConfigProblem(sh)
	if err == nil {
		return nil
	}
	note := &health.ConfigNote{File: sh.Config().Path}
	var invalid *config.Error
	if !errors.As(err, &invalid) {
		note.Problems = []health.ConfigProblem{{Message: err.Error()}}
		return note
	}
	for _, p := range invalid.Problems {
		note.Problems = append(note.Problems, health.ConfigProblem{Line: p.Line, Message: p.String()})
	}
	return note
}

// config writes what is wrong with our own configuration.
func (r *doctorReport) config(c *health.ConfigNote) {
	if c == nil {
		return
	}
	r.Say(output.Broken, "the configuration of sesskeep is not obeyed: other commands end with an error")
	for _, p := range c.Problems {
		if p.Line == 0 {
			r.Item("%s", r.sh.Tilde(p.Message))
			continue
		}
		r.Item("%s:%d: %s", r.sh.Tilde(c.File), p.Line, p.Message)
	}
}
