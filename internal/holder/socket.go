package holder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sesskeep/internal/launch"
)

// Limits of the protocol on the socket.
const (
	maxRequest = 2*launch.MaxMessage + launch.MaxImages/3*4 + 1<<16 // pictures are in base64
	idleLimit  = time.Minute                                        // without a request
	sendLimit  = 10 * time.Second                                   // for a follower to read a frame
	endLimit   = 2 * time.Second                                    // for followers to read the end
)

// server answers at the socket of a run.
type server struct {
	holder   *holder
	listener net.Listener
	done     sync.WaitGroup
	mu       sync.Mutex
	conns    map[net.Conn]bool
	closed   bool
}

// listen opens the socket. Only this user can reach it: the permissions of the
// directory and of the socket exclude others.
func (h *holder) listen() (*server, error) {
	path := h.store.path(h.run.ID, "socket")
	var l net.Listener
	err := withShortPath(path, func(short string) (err error) {
		l, err = net.Listen("unix", short)
		return err
	})
	if err != nil {
		return nil, err
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // the socket may have another name by then
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s := &server{holder: h, listener: l, conns: map[net.Conn]bool{}}
	s.done.Go(s.accept)
	return s, nil
}

// shortPath is the longest path of a socket that every system accepts.
const shortPath = 100

// withShortPath calls do with a path that is short enough for a socket: the path
// itself, or a temporary symlink to it.
func withShortPath(path string, do func(short string) error) error {
	if len(path) <= shortPath {
		return do(path)
	}
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	link := filepath.Join(dir, "r")
	if err := os.Symlink(filepath.Dir(path), link); err != nil {
		return err
	}
	return do(filepath.Join(link, filepath.Base(path)))
}

func (s *server) accept() {
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // perhaps too many open files
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if !s.keep(conn) {
			_ = conn.Close()
			return
		}
		s.done.Go(func() {
			s.serve(conn)
			s.drop(conn)
		})
	}
}

func (s *server) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.conns[c] = true
	}
	return !s.closed
}

func (s *server) drop(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	_ = c.Close()
}

// end closes the socket. Followers get endLimit to read the end of the run.
func (s *server) end() {
	_ = s.listener.Close()
	if !s.holder.held.Lost() {
		_ = os.Remove(s.holder.store.path(s.holder.run.ID, "socket"))
	}
	s.mu.Lock()
	s.closed = true
	for c := range s.conns {
		_ = c.SetReadDeadline(time.Now())
		_ = c.SetWriteDeadline(time.Now().Add(endLimit))
	}
	s.mu.Unlock()
	s.done.Wait()
}

// setReadDeadline sets how long to read from a connection: not at all once the
// socket is closed.
func (s *server) setReadDeadline(c net.Conn, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		_ = c.SetReadDeadline(until)
	}
}

// serve answers requests until the connection ends or becomes a stream.
func (s *server) serve(c net.Conn) {
	in := bufio.NewReaderSize(c, 1<<16)
	for {
		s.setReadDeadline(c, time.Now().Add(idleLimit))
		data, err := readLine(in, maxRequest)
		if err != nil {
			return
		}
		var r Request
		if err := json.Unmarshal(data, &r); err != nil {
			_ = send(c, Reply{Code: "failed", Error: "not a request: " + err.Error()})
			return
		}
		if r.Do == DoFollow {
			s.stream(c, r)
			return
		}
		if send(c, s.holder.reply(r)) != nil {
			return
		}
	}
}

// readLine reads a line of at most limit bytes. A line without a newline at its
// end does not count.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, errors.New("the request is too long")
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func send(c net.Conn, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	_ = c.SetWriteDeadline(time.Now().Add(sendLimit))
	_, err = c.Write(data)
	return err
}

// encode returns v as a line of JSON. Inputs of tools stay as people read them: && and not
// \u0026\u0026.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// reply executes a request.
func (h *holder) reply(r Request) Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.actLocked(func(m *launch.Machine, now time.Time) error {
		switch {
		case r.Do == DoStatus:
			return nil
		case r.Do == DoAnswer && r.Answer != nil && h.run.Foreign:
			return h.decide(m, now, *r.Answer)
		case h.run.Foreign:
			return errForeign
		case r.Do == DoSend && r.Message != nil:
			return m.Send(now, *r.Message)
		case r.Do == DoAnswer && r.Answer != nil:
			return m.Answer(now, *r.Answer)
		case r.Do == DoWithdraw:
			return m.Withdraw(now, r.By)
		case r.Do == DoInterrupt:
			return m.Interrupt(now, r.By)
		case r.Do == DoStop:
			m.Stop(now, launch.Stopped, StoppedBy+r.By)
			return nil
		case r.Do == DoSet && r.Model != "":
			return m.SetModel(now, r.Model)
		case r.Do == DoSet && r.Mode != "":
			return m.SetMode(now, r.Mode)
		}
		return fmt.Errorf("there is nothing like %q to do", r.Do)
	})
	reply := replyOf(err)
	rec := h.recordLocked() // output beyond its LogSize is newer than this record
	reply.Record = &rec
	return reply
}

// record returns the current record of the run.
func (h *holder) record() Record {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.recordLocked()
}

func (h *holder) recordLocked() Record { return newRecord(h.run, h.machine.Status(), h.out.size) }

// responseLocked returns the response to a message; nil: message is empty, or the
// response is not known yet.
func (h *holder) responseLocked(message string) *launch.Response {
	if message == "" {
		return nil
	}
	if r, ok := h.machine.Response(message); ok {
		return &r
	}
	return nil
}

// pastEnd is an offset beyond the end of every log.
const pastEnd = 1 << 62

// stream sends the log from an offset, and then everything new, until the run is
// over.
func (s *server) stream(c net.Conn, r Request) {
	h := s.holder
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.setReadDeadline(c, time.Time{})
	s.done.Go(func() { // a follower sends nothing more: reading notices when it disconnects
		_, _ = io.Copy(io.Discard, c)
		stop()
	})
	at, version, waits := r.From, -1, r.WaitFor
	if r.From < 0 {
		at = pastEnd
	}
	h.mu.Lock()
	piece := int64(0)
	if !r.Pieces {
		piece = pastEnd
	}
	for _, p := range h.out.pieces { // skip pieces from before the start offset
		if p.at < at && r.Pieces {
			piece = p.number
		}
	}
	h.mu.Unlock()
	for {
		h.mu.Lock()
		changed, size, now := h.changed, h.out.size, h.version
		ended := h.machine.State() == launch.Ended
		response := h.responseLocked(waits)
		h.mu.Unlock()
		err := s.sendNew(c, &at, &piece, size)
		if err == nil && response != nil {
			waits = "" // send it once
			err = send(c, Frame{Next: at, Response: response})
		}
		if err == nil && now != version {
			version = now
			rec := h.record()
			err = send(c, Frame{Next: at, Record: &rec})
		}
		if err != nil {
			return
		}
		if ended {
			select {
			case <-h.ended: // the end is written
				return
			case <-changed:
			}
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// sendNew sends the lines up to a log size, each after the pieces that precede it.
func (s *server) sendNew(c net.Conn, at, piece *int64, size int64) error {
	h := s.holder
	pieces := func() error {
		h.mu.Lock()
		list := h.out.after(*piece, *at)
		h.mu.Unlock()
		for _, p := range list {
			*piece = p.number
			if err := send(c, Frame{Next: *at, Piece: p.line}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := pieces(); err != nil || *at >= size {
		return err
	}
	enough := errors.New("enough")
	err := h.store.lines(h.run.ID, *at, func(next int64, line []byte) error {
		if next > size {
			return enough
		}
		if err := send(c, lineFrame(next, line)); err != nil {
			return err
		}
		*at = next
		return pieces()
	})
	if errors.Is(err, enough) {
		return nil
	}
	return err
}

func lineFrame(next int64, line []byte) Frame {
	if json.Valid(line) {
		return Frame{Next: next, Line: line}
	}
	return Frame{Next: next, Text: string(line)}
}
