// Package standin stands in for the client where there is no model: in tests, and in the sample
// home. It speaks the client's protocol without a terminal, and appends transcripts as the client
// does. A prompt says what happens, in words between brackets, each a step of the answer:
//
//	[text:WORDS]     say WORDS
//	[say:WORDS]      say WORDS, one every 20 ms
//	[slow:N]         say N words, one every 20 ms
//	[tool:COMMAND]   ask for permission to run COMMAND, and say what the answer was
//	[write:FILE]     ask for permission to write FILE, and write it if allowed
//	[plan:TEXT]      ask whether to go by the plan TEXT, which no rule can allow
//	[ask]            ask which colour
//	[questions]      ask two questions at once
//	[agent]          let a sub-agent say something
//	[compact]        sum the conversation up
//	[error:STATUS]   end the turn with an error of the API
//	[fail]           end the turn with an error of the client
//	[garbage]        write a line that is no JSON
//	[unknown]        write a line of an unknown type
//	[twice]          ask the same under one id, then something else under it
//	[withdraw]       ask, and take it back
//	[hang]           say nothing until it is interrupted
//	[deaf]           say nothing, whatever is said
//	[exit:CODE]      end the process
//	[cut:N]          write N bytes of a line, and end the process
//	[sleep:MS]       wait
//
// No command is run. A prompt without any gets the steps of [Options], else it is echoed.
package standin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"sesskeep/internal/clientline"
)

// Step is a step of an answer: a word of the table above and its value, or "use" with the name of
// a tool and its input.
type Step struct {
	Word, Value string
	Input       clientline.Object
	Denied      string // what "use" says if the answer is no; nothing follows
}

// Options say what stands in for the client, and where.
type Options struct {
	Args           []string // of the client
	Getenv         func(string) string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Exit           func(code int)             // ends the process
	Model          string                     // that it says to be
	Anywhere       bool                       // resume sessions of other directories, too
	Steps          func(prompt string) []Step // for a prompt without steps; nil: it is echoed
}

// Run answers prompts until the input is closed, and returns the exit code.
func Run(o Options) int {
	c, err := newClient(&o)
	if err != nil {
		fmt.Fprintln(o.Stderr, "Error:", err)
		return 1
	}
	go c.listen(o.Stdin)
	return c.run()
}

// said is a line of standard input.
type said struct {
	Type    string
	UUID    string
	Message struct{ Content json.RawMessage }
	Request string `json:"request_id"`
	Control struct {
		Subtype, Model, Mode string
	} `json:"request"`
	Response struct {
		Request  string `json:"request_id"`
		Subtype  string
		Response struct {
			Behavior     string
			Message      string
			UpdatedInput json.RawMessage
		}
	}
}

// listen takes what is said, and closes the inbox at the end of it.
func (c *client) listen(in io.Reader) {
	defer close(c.inbox)
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var s said
		if json.Unmarshal(line, &s) != nil {
			fmt.Fprintln(c.o.Stderr, "Error parsing streaming input line")
			c.o.Exit(1)
		}
		c.inbox <- s
	}
}
