package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip" // in two thirds of the time that the standard library takes
)

// minCompressed is the size from which an answer is compressed.
const minCompressed = 4 << 10

// bufferedWriter holds an answer in JSON back until it is whole. Then it gets an ETag,
// is left out where the client has it already, and is compressed if it is large.
// Every other answer passes.
type bufferedWriter struct {
	http.ResponseWriter
	request *http.Request
	status  int
	held    bytes.Buffer
	passes  bool
}

// newBufferedWriter makes room for an answer; it has to be ended.
func newBufferedWriter(w http.ResponseWriter, r *http.Request) *bufferedWriter {
	return &bufferedWriter{ResponseWriter: w, request: r, passes: r.Method != http.MethodGet && r.Method != http.MethodHead || isPage(r)}
}

func (c *bufferedWriter) WriteHeader(status int) {
	if c.status != 0 {
		return
	}
	c.status = status
	kind, _, _ := strings.Cut(c.Header().Get("Content-Type"), ";")
	if c.passes = c.passes || status != http.StatusOK || kind != "application/json" || c.Header().Get("Content-Disposition") != ""; c.passes {
		c.ResponseWriter.WriteHeader(status)
	}
}

func (c *bufferedWriter) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if c.passes {
		return c.ResponseWriter.Write(p)
	}
	return c.held.Write(p)
}

// Unwrap lets a [http.ResponseController] reach what is below.
func (c *bufferedWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// finish sends what was held back.
func (c *bufferedWriter) finish() {
	if c.passes || c.status == 0 {
		return
	}
	h := c.Header()
	sum := sha256.Sum256(c.held.Bytes())
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	h.Set("ETag", tag)
	h.Add("Vary", "Accept-Encoding")
	if matches(c.request.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		c.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	var w io.Writer = c.ResponseWriter
	if c.held.Len() >= minCompressed && takesGzip(c.request.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		packed, _ := gzip.NewWriterLevel(c.ResponseWriter, gzip.BestSpeed) // the level is one of its own
		defer packed.Close()
		w = packed
	} else {
		h.Set("Content-Length", strconv.Itoa(c.held.Len()))
	}
	c.ResponseWriter.WriteHeader(c.status)
	_, _ = c.held.WriteTo(w) // who does not read it has gone
}

// matches reports whether one of the tags that a client has is this one.
func matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || one != "" && strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// takesGzip reports whether a client reads gzip.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(one), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}
