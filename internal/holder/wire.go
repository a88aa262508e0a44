package holder

import (
	"encoding/json"
	"errors"
	"fmt"

	"sesskeep/internal/launch"
)

// Do names the operation of a request.
type Do string

// The operations of a holder.
const (
	DoStatus    Do = "status"
	DoFollow    Do = "follow" // the connection becomes a stream of frames
	DoSend      Do = "send"
	DoAnswer    Do = "answer"
	DoInterrupt Do = "interrupt"
	DoStop      Do = "stop"
	DoSet       Do = "set"
	DoWithdraw  Do = "withdraw" // the messages that wait
)

// StoppedBy is how the reason starts of a run that somebody stopped.
const StoppedBy = "stopped by "

// Request is a line that a client of the holder writes.
type Request struct {
	Do      Do              `json:"do"`
	From    int64           `json:"from,omitempty"`    // follow: log offset; negative: no lines
	Pieces  bool            `json:"pieces,omitempty"`  // follow: also parts of messages
	WaitFor string          `json:"waitFor,omitempty"` // follow: id of a message whose response is wanted
	Message *launch.Message `json:"message,omitempty"` // send
	Answer  *launch.Answer  `json:"answer,omitempty"`
	Model   string          `json:"model,omitempty"` // set
	Mode    launch.Mode     `json:"mode,omitempty"`  // set
	By      string          `json:"by,omitempty"`
}

// Reply is the holder's reply to a request.
type Reply struct {
	Record *Record `json:"record,omitempty"`
	Code   string  `json:"code,omitempty"` // of the error
	Error  string  `json:"error,omitempty"`
	// Answered says who answered first.
	Answered *launch.AnsweredError `json:"answered,omitempty"`
}

// Frame is a line of a stream. Exactly one field besides Next is set.
type Frame struct {
	Next  int64           `json:"next"`            // log offset at which to continue
	Line  json.RawMessage `json:"line,omitempty"`  // a line of output
	Text  string          `json:"text,omitempty"`  // a line of output that is not JSON
	Piece json.RawMessage `json:"piece,omitempty"` // part of a message that is being written
	// Response is the outcome of the message that the follower waits for; sent once.
	Response *launch.Response `json:"response,omitempty"`
	// Record is the state of the run: sent first, and whenever it changed.
	Record *Record `json:"record,omitempty"`
}

// codes maps codes on the wire to errors.
var codes = map[string]error{
	"over": launch.ErrOver, "long": launch.ErrLong, "empty": launch.ErrEmpty, "full": launch.ErrFull, "bypass": launch.ErrBypass,
	"no_prompt": launch.ErrNoPrompt, "late": launch.ErrLate, "input": launch.ErrInput, "answer": launch.ErrAnswer,
}

func replyOf(err error) Reply {
	if err == nil {
		return Reply{}
	}
	r := Reply{Error: err.Error(), Code: "failed"}
	if errors.As(err, &r.Answered) {
		r.Code = "answered"
		return r
	}
	for code, known := range codes {
		if errors.Is(err, known) {
			r.Code = code
		}
	}
	return r
}

// err returns the error of a reply: the one that the holder had.
func (r *Reply) err() error {
	switch known := codes[r.Code]; {
	case r.Code == "":
		return nil
	case r.Answered != nil:
		return r.Answered
	case known == nil:
		return errors.New(r.Error)
	case known.Error() == r.Error:
		return known
	default:
		return fmt.Errorf("%w (%s)", known, r.Error)
	}
}
