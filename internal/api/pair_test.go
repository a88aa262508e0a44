package api_test

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
)

type pairingRow struct{ ID, Status, Code, Number, Device, TokenID, URL, Key string }

type paired struct {
	Status, Claim, Number string
	Token                 *madeToken
}

// A device gets a token when both screens showed the same number, and not before.
func TestPair(t *testing.T) {
	w := newWorld(t)
	begun := do[pairingRow](w, access.Operate, "POST", "/pairings", `{}`, 200)
	claimed := do[paired](w, "", "POST", "/pair", `{"code":"`+begun.Code+`","device":"Pixel"}`, 200)
	seen := do[pairingRow](w, access.Operate, "GET", "/pairings/"+begun.ID, "", 200)
	if claimed.Token != nil || claimed.Number == "" || seen.Number != claimed.Number || seen.Device != "Pixel" || seen.Code != "" {
		t.Fatalf("the device has %+v, the other screen %+v", claimed, seen)
	}
	do[map[string]any](w, "", "POST", "/pair", `{"code":"`+begun.Code+`","device":"Thief"}`, 401)
	if again := do[pairingRow](w, access.Operate, "GET", "/pairings/"+begun.ID, "", 200); again.Number != claimed.Number || again.Device != "Pixel" {
		t.Errorf("who came second is who is shown: %+v", again)
	}
	collect := `{"claim":"` + claimed.Claim + `"}`
	if early := do[paired](w, "", "POST", "/pair", collect, 200); early.Token != nil || early.Status != "claimed" {
		t.Fatalf("before it was confirmed it has %+v", early)
	}
	do[map[string]any](w, access.Manage, "POST", "/pairings/"+begun.ID+"/confirm", "", 403)
	do[pairingRow](w, access.Operate, "POST", "/pairings/"+begun.ID+"/confirm", "", 200)
	got := do[paired](w, "", "POST", "/pair", collect, 200)
	if got.Token == nil || got.Token.Role != "manage" || got.Token.Name != "Pixel" {
		t.Fatalf("it got %+v", got)
	}
	with := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+got.Token.Token) }
	if r := w.ask("", "GET", "/projects", "", with); r.status != 200 {
		t.Errorf("its token: %d", r.status)
	}
	if seen = do[pairingRow](w, access.Operate, "GET", "/pairings/"+begun.ID, "", 200); seen.Status != "paired" || seen.TokenID != got.Token.ID {
		t.Errorf("then the other screen has %+v", seen)
	}
	do[map[string]any](w, "", "POST", "/pair", collect, 401)
	do[madeToken](w, access.Operate, "DELETE", "/tokens/"+got.Token.ID, "", 200)
	if r := w.ask("", "GET", "/projects", "", with); r.status != 401 {
		t.Errorf("a device that was revoked: %d", r.status)
	}
}

// Five wrong codes close a pairing, a refusal too, and who guesses on has to wait.
func TestPairGuessed(t *testing.T) {
	w := newWorld(t)
	begun := do[pairingRow](w, access.Operate, "POST", "/pairings", `{"role":"read"}`, 200)
	for range 5 {
		do[map[string]any](w, "", "POST", "/pair", `{"code":"guess"}`, 401)
	}
	do[map[string]any](w, "", "POST", "/pair", `{"code":"`+begun.Code+`"}`, 401)
	again := do[pairingRow](w, access.Operate, "POST", "/pairings", `{}`, 200)
	claim := do[paired](w, "", "POST", "/pair", `{"code":"`+again.Code+`"}`, 200).Claim
	do[pairingRow](w, access.Operate, "DELETE", "/pairings/"+again.ID, "", 200)
	do[map[string]any](w, access.Operate, "POST", "/pairings/"+again.ID+"/confirm", "", 404)
	do[map[string]any](w, "", "POST", "/pair", `{"claim":"`+claim+`"}`, 401)
	last := 0
	for range 20 {
		last = w.ask("", "POST", "/pair", `{"code":"guess"}`).status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many guesses: %d", last)
	}
}

// Who is too late gets nothing, at whichever step.
func TestPairLate(t *testing.T) {
	for _, step := range []string{"claim", "confirm", "collect"} {
		w := newWorld(t)
		late := func(now string) {
			for range 120 {
				if now == step {
					w.clock.tick()
				}
			}
		}
		begun := do[pairingRow](w, access.Operate, "POST", "/pairings", `{}`, 200)
		late("claim")
		r := w.ask("", "POST", "/pair", `{"code":"`+begun.Code+`"}`)
		if step == "claim" {
			if r.status != http.StatusUnauthorized {
				t.Errorf("claimed too late: %d", r.status)
			}
			continue
		}
		var claimed paired
		w.must(json.Unmarshal(r.body, &claimed))
		late("confirm")
		if r := w.ask(access.Operate, "POST", "/pairings/"+begun.ID+"/confirm", ""); (r.status == http.StatusOK) != (step == "collect") {
			t.Errorf("%s: confirmed: %d", step, r.status)
		}
		late("collect")
		do[map[string]any](w, "", "POST", "/pair", `{"claim":"`+claimed.Claim+`"}`, 401)
	}
}

// Devices reach the server over TLS, know it by its key after a restart too, and
// are held to its names.
func TestDevices(t *testing.T) {
	w := sharedWorld(t)
	tokens, err := access.Open(t.TempDir(), w.clock.Now)
	w.must(err)
	var first api.Reach
	for round := range 2 {
		key, err := tokens.Key(t.Context())
		w.must(err)
		door := api.Door{Address: "127.0.0.1:0", Devices: "127.0.0.1:0", DeviceKey: key}
		listening, err := door.Listen()
		w.must(err)
		ctx, stop := context.WithCancel(t.Context())
		server := api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: listening.Hosts, Devices: listening.Devices, Now: w.clock.Now})
		done := make(chan error, 1)
		go func() { done <- listening.Run(ctx, server) }()
		for _, test := range []struct {
			key, host string
			status    int
		}{{listening.Devices.Key, "", 200}, {listening.Devices.Key, "rebind.test", 403}, {"another", "", 0}} {
			status, err := askPinned(t.Context(), listening.Devices.URL+"/healthz", test.key, test.host)
			if status != test.status {
				t.Errorf("round %d, as %q with the key %s: %d, %v", round, test.host, test.key, status, err)
			}
		}
		stop()
		w.must(<-done)
		if round > 0 && listening.Devices.Key != first.Key {
			t.Error("after a restart devices do not know the server any more")
		}
		first = listening.Devices
	}
}

// askPinned asks a server that is known by its key alone.
func askPinned(ctx context.Context, url, key, host string) (int, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, // the key is compared instead
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			cert, err := x509.ParseCertificate(raw[0])
			if err != nil {
				return err
			}
			sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
			if got := base64.RawURLEncoding.EncodeToString(sum[:]); got != key {
				return errors.New("another key: " + got)
			}
			if !strings.Contains(url, cert.IPAddresses[0].String()) {
				return fmt.Errorf("the certificate is for %v", cert.IPAddresses)
			}
			return nil
		},
	}}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	if host != "" {
		r.Host = host
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
