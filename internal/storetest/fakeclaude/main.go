// Command fakeclaude speaks the protocol of the client without a terminal, and
// appends transcripts as the client does. It asks no model: a prompt says what
// happens, in words between brackets, each a step of the answer.
//
//	[text:WORDS]     say WORDS
//	[slow:N]         say N words, one every 20 ms
//	[tool:COMMAND]   ask for permission to run COMMAND, and say what the answer was
//	[write:FILE]     ask for permission to write FILE, and write it if allowed
//	[ask]            ask which colour
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
// Without any it echoes the prompt. FAKECLAUDE_DUMP names a file to write the
// arguments, the environment and the directory to.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func main() {
	if file := os.Getenv("FAKECLAUDE_DUMP"); file != "" {
		dump(file)
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("2.1.325 (Claude Code)")
		return
	}
	c, err := newClient(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
	go c.listen(os.Stdin)
	os.Exit(c.run())
}

// dump writes how the process was started.
func dump(file string) {
	dir, _ := os.Getwd()
	data, err := json.Marshal(map[string]any{"args": os.Args[1:], "env": os.Environ(), "dir": dir, "pid": os.Getpid()})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
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
			fmt.Fprintln(os.Stderr, "Error parsing streaming input line")
			os.Exit(1)
		}
		c.inbox <- s
	}
}
