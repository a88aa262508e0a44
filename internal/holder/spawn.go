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

// Spawn starts a holder as a process that outlives this one, and returns the run
// that it holds. Argv is the command line that makes our program a holder, which
// reads an Order from standard input; see [Serve].
func Spawn(ctx context.Context, argv []string, o Order) (Run, error) {
	order, err := json.Marshal(o)
	if err != nil {
		return Run{}, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = os.TempDir() // so that no other directory is kept from being removed
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
	go func() { _ = cmd.Wait() }() // reap it if it ends before this process
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

// announcement is what a holder writes to the process that started it.
type announcement struct {
	Run   Run    `json:"run"`
	Error string `json:"error,omitempty"`
}

// Serve is the main function of the holder that Spawn starts: it reads its Order,
// announces the run, closes the output, and holds the run.
func Serve(ctx context.Context, s Store, in io.Reader, out io.WriteCloser) error {
	said := false
	say := func(a announcement) {
		if !said {
			said = true
			_ = json.NewEncoder(out).Encode(a) // the starter may be gone
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
