package cli

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is what a command has written so far.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until the screen shows something.
func (s *screen) await(t *testing.T, pattern string) []string {
	t.Helper()
	want := regexp.MustCompile(pattern)
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text := s.String()
		if found := want.FindStringSubmatch(text); found != nil {
			return found
		}
		if time.Now().After(end) {
			t.Fatalf("%s is never shown, but:\n%s", pattern, text)
		}
	}
}

// A phone that reads the code gets in when the number on both screens is said to
// be the same, and not otherwise.
func TestPair(t *testing.T) {
	u := user{t, t.TempDir()}
	stop := u.serve("--devices=127.0.0.1:0")
	defer stop()
	for answer, want := range map[string]int{"y": 0, "n": 1, "": 1} {
		shown := &screen{}
		typed, keys := io.Pipe()
		done := make(chan int, 1)
		go func() { done <- Main([]string{"--demo", "pair", "--role", "read", "--ascii"}, u.env(typed, shown)) }()
		found := shown.await(t, `(https://127\.0\.0\.1:\d+)/ui/pair#([\w-]{22,})\.[\w-]{43}\n`)
		phone := func(body string) (got struct {
			Claim, Number string
			Token         *struct{ Token, Role, ID string }
		}) {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // what a browser is told to accept
			r, err := client.Post(found[1]+"/pair", "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			return got
		}
		claimed := phone(`{"code":"` + found[2] + `","device":"Pixel\u001b[31m"}`)
		if number := shown.await(t, `this number: (\d{3} \d{3})`)[1]; number != claimed.Number {
			t.Errorf("the phone shows %s, the terminal %s", claimed.Number, number)
		}
		shown.await(t, `Does it\?`)
		if strings.Contains(shown.String(), "\x1b") {
			t.Error("what the phone calls itself reached the terminal as it is")
		}
		_, _ = io.WriteString(keys, answer+"\n")
		for want == 0 && claimed.Token == nil {
			claimed.Token = phone(`{"claim":"` + claimed.Claim + `"}`).Token
		}
		if code := <-done; code != want {
			t.Errorf("answered %q: %d\n%s", answer, code, shown.String())
		}
		if want == 0 && (claimed.Token.Role != "read" || !strings.Contains(shown.String(), "token revoke "+claimed.Token.ID)) {
			t.Errorf("it got %+v:\n%s", claimed.Token, shown.String())
		}
		if late := phone(`{"claim":"` + claimed.Claim + `"}`); late.Token != nil {
			t.Errorf("answered %q, and the phone got a token later", answer)
		}
	}
	if out, _ := u.run("token", "ls", "--json"); !strings.Contains(out, `"device": true`) {
		t.Errorf("the phone is not among the tokens:\n%s", out)
	}
}

// A server that phones cannot reach says what to do.
func TestPairUnreachable(t *testing.T) {
	u := user{t, t.TempDir()}
	defer u.serve()()
	if out, code := u.run("pair"); code != 1 || !strings.Contains(out, `"sesskeep --demo serve stop" stops it`) {
		t.Errorf("%d %s", code, out)
	}
	for _, wrong := range [][]string{{"--role", "king"}, {"--url", "http://laptop.example"}} {
		if out, code := u.run(append([]string{"pair"}, wrong...)...); code != 2 {
			t.Errorf("pair %v: %d %s", wrong, code, out)
		}
	}
}
