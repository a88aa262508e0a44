package holder

import (
	"encoding/json"
	"errors"
	"fmt"

	"sesskeep/internal/launch"
)

// Do says what a request is for.
type Do string

// What can be asked of a holder.
const (
	DoStatus    Do = "status"
	DoFollow    Do = "follow" // the connection becomes a stream of frames
	DoSend      Do = "send"
	DoAnswer    Do = "answer"
	DoInterrupt Do = "interrupt"
	DoStop      Do = "stop"
	DoSet       Do = "set"
)

// Request is a line that a client of the holder writes.
type Request struct {
	Do      Do              `json:"do"`
	From    int64           `json:"from,omitempty"`    // of follow: a byte of the log; negative: no lines
	Pieces  bool            `json:"pieces,omitempty"`  // of follow: parts of messages too
	WaitFor string          `json:"waitFor,omitempty"` // of follow: id of a message whose response is wanted
	Message *launch.Message `json:"message,omitempty"` // of send
	Answer  *launch.Answer  `json:"answer,omitempty"`
	Model   string          `json:"model,omitempty"` // of set
	Mode    launch.Mode     `json:"mode,omitempty"`  // of set
	By      string          `json:"by,omitempty"`
}

// Reply is what the holder says to one.
type Reply struct {
	Record *Record `json:"record,omitempty"`
	Code   string  `json:"code,omitempty"` // of an error
	Error  string  `json:"error,omitempty"`
	// Answered says who was faster.
	Answered *launch.AnsweredError `json:"answered,omitempty"`
}

// Frame is a line of a stream. Exactly one of its parts is there.
type Frame struct {
	Next  int64           `json:"next"`            // where the log goes on
	Line  json.RawMessage `json:"line,omitempty"`  // of output
	Text  string          `json:"text,omitempty"`  // of output that is no JSON
	Piece json.RawMessage `json:"piece,omitempty"` // of a message that is being written
	// Response is what came of the message that is waited for, once.
	Response *launch.Response `json:"response,omitempty"`
	// Record is where the run is, first of all, and whenever that changed.
	Record *Record `json:"record,omitempty"`
}

// codes are the errors that go over the wire.
var codes = map[string]error{
	"over": launch.ErrOver, "long": launch.ErrLong, "empty": launch.ErrEmpty, "bypass": launch.ErrBypass,
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

// err is the error of a reply, the same that the holder had.
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
