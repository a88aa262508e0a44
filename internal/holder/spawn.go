package holder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Spawn starts a holder as a process that outlives this one, and gives the run
// that it holds. Argv is how our program becomes one: it reads an Order on
// standard input, see [Serve].
func Spawn(ctx context.Context, argv []string, o Order) (Run, error) {
	order, err := json.Marshal(o)
	if err != nil {
		return Run{}, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = os.TempDir() // it keeps no directory from being removed
	cmd.Stdin = bytes.NewReader(order)
	cmd.Env = os.Environ()
	detach(cmd)
	r, w, err := os.Pipe()
	if err != nil {
		return Run{}, err
	}
	defer r.Close()
	cmd.Stdout = w
	err = cmd.Start()
	_ = w.Close()
	if err != nil {
		return Run{}, fmt.Errorf("start a holder: %w", err)
	}
	go func() { _ = cmd.Wait() }() // if it ends before this process, it is reaped
	_ = r.SetReadDeadline(time.Now().Add(startTime))
	defer context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })()
	var said announcement
	if err := json.NewDecoder(bufio.NewReader(r)).Decode(&said); err != nil {
		return Run{}, errors.Join(fmt.Errorf("start a holder: it said nothing: %w", err), ctx.Err())
	}
	if said.Error != "" {
		return Run{}, fmt.Errorf("start a run: %s", said.Error)
	}
	return said.Run, nil
}

// announcement is what a holder says to who started it.
type announcement struct {
	Run   Run    `json:"run"`
	Error string `json:"error,omitempty"`
}

// Serve is the holder that Spawn starts: it reads its Order, says which run it
// holds, closes the output, and holds it.
func Serve(ctx context.Context, s Store, in io.Reader, out io.WriteCloser) error {
	said := false
	say := func(a announcement) {
		if !said {
			said = true
			_ = json.NewEncoder(out).Encode(a) // who does not hear it has gone
			_ = out.Close()
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxRequest))
	var o Order
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err == nil {
		err = Hold(ctx, s, o, func(r Run) { say(announcement{Run: r}) })
	}
	if err != nil {
		say(announcement{Error: strings.TrimSpace(err.Error())})
	}
	return err
}
