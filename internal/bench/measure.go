package main

import (
	"errors"
	"os/exec"
	"time"
)

// measure is something to run and what to call it.
type measure struct {
	name     string
	commands func() []*exec.Cmd
}

// cost is what a run took.
type cost struct {
	cpu    time.Duration
	wall   time.Duration
	memory int64 // bytes of the largest process
}

// best runs a measure several times and keeps the run with the least CPU time:
// the others were disturbed.
func (m measure) best(repeat int) (cost, error) {
	var best cost
	for i := range max(1, repeat) {
		c, err := once(m.commands())
		if err != nil {
			return best, err
		}
		if i == 0 || c.cpu < best.cpu {
			best = c
		}
	}
	return best, nil
}

func once(commands []*exec.Cmd) (cost, error) {
	var c cost
	start := time.Now()
	for _, cmd := range commands {
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return c, err // an exit code is an answer: rg found nothing, doctor found damage
		}
		state := cmd.ProcessState
		c.cpu += state.UserTime() + state.SystemTime()
		c.memory = max(c.memory, memory(state))
	}
	c.wall = time.Since(start)
	return c, nil
}

// inChunks runs a program on all files, as many at a time as a command line
// holds.
func inChunks(files []string, program string, args ...string) []*exec.Cmd {
	const most = 500
	var commands []*exec.Cmd
	for len(files) > 0 {
		n := min(most, len(files))
		commands = append(commands, exec.Command(program, append(append([]string{}, args...), files[:n]...)...))
		files = files[n:]
	}
	return commands
}
