package bridge

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
)

// thinkingWords are what each thinking mode adds to a prompt: the words by which the
// client knows it.
var thinkingWords = map[string]string{
	"": "", "normal": "", "think": "think", "think_hard": "think hard", "think_harder": "think harder", "ultrathink": "ultrathink",
}

// keptInputs is how many messages a socket keeps to retry them.
const keptInputs = 16

// input sends a message to the agent. While it works the message waits, and until then it
// can be canceled.
func (s *socket) input(run string, r inputRequest) *Fault {
	if r.Text == nil {
		return invalid("text is missing")
	}
	words, known := thinkingWords[r.ThinkingMode]
	if !known {
		return invalid(fmt.Sprintf("there is no thinking mode %.40q", r.ThinkingMode))
	}
	message := launch.Message{ID: messageID(run, r.MessageID), Text: *r.Text, Wait: true}
	if words != "" {
		message.Text += "\n\n" + words
	}
	for i := range r.Images {
		image, f := s.image(run, &r.Images[i])
		if f != nil {
			return f
		}
		message.Images = append(message.Images, image)
	}
	return s.sendMessage(run, message)
}

func (s *socket) sendMessage(run string, message launch.Message) *Fault {
	if f := s.asked(s.bridge.runs.SendMessage(s.ctx, run, message)); f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inputs = append(s.inputs, message); len(s.inputs) > keptInputs {
		s.inputs = slices.Delete(s.inputs, 0, 1)
	}
	return nil
}

// messageID returns the id of a message: the client's own, which makes it safe to send the
// message again.
func messageID(run, own string) string {
	switch {
	case own == "":
		return runs.NewMessage()
	case sesskeep.IsUUID(own):
		return strings.ToLower(own)
	}
	sum := sha256.Sum256([]byte(run + "\x00" + own))
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// image returns a picture of a message.
func (s *socket) image(run string, a *attachment) (launch.Image, *Fault) {
	switch {
	case a.Type == "reference":
		image, err := s.bridge.runs.Image(run, a.ID)
		if err != nil {
			return launch.Image{}, fault(codeInvalid, err.Error())
		}
		return image, nil
	case a.Type != "base64":
		return launch.Image{}, invalid("the type of an image is base64 or reference")
	}
	data, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		return launch.Image{}, invalid("the data of an image is not base64")
	}
	image, err := holder.CheckImage(data)
	if err != nil {
		return launch.Image{}, invalid(err.Error())
	}
	return image, nil
}

// retry sends a message again whose turn failed: the one that is named, or the last one.
func (s *socket) retry(run string, r retryRequest) *Fault {
	record, err := s.bridge.runs.Read(s.ctx, run)
	if err != nil {
		return faultOf(err, codeNoAgent)
	}
	if record.State != launch.YourTurn || record.Outcome == "" || record.Outcome == launch.Answered {
		return fault(codeNothingToRetry, "no message failed")
	}
	message, found := s.kept(run, r.MessageID)
	if !found {
		message, found, err = s.logged(run, r.MessageID)
	}
	switch {
	case err != nil:
		return faultOf(err, codeNoAgent)
	case !found:
		return fault(codeNothingToRetry, "the message to retry is not known")
	}
	message.ID = runs.NewMessage()
	return s.sendMessage(run, message)
}

// kept finds a message that this socket sent; without an id the last one.
func (s *socket) kept(run, id string) (launch.Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range slices.Backward(s.inputs) {
		if id == "" || m.ID == messageID(run, id) {
			return m, true
		}
	}
	return launch.Message{}, false
}

// logged finds a prompt in the log of a run; without an id the last one.
func (s *socket) logged(run, id string) (message launch.Message, found bool, err error) {
	err = s.bridge.runs.Logged(run, func(line []byte) error {
		var l logLine
		if json.Unmarshal(line, &l) != nil || l.Type != "user" || !l.Replay || id != "" && l.UUID != messageID(run, id) {
			return nil
		}
		message, found = launch.Message{Wait: true}, true
		return message.Decode(l.Message.Content)
	})
	return message, found, err
}
