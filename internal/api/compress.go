package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip" // takes two thirds of the standard library's time
)

// minCompressed is the size from which answers are compressed.
const minCompressed = 4 << 10

// bufferedWriter buffers a JSON answer until it is complete. Then it adds an ETag, answers
// 304 if the client has that version, and compresses large answers. All other answers pass
// through.
type bufferedWriter struct {
	http.ResponseWriter
	request *http.Request
	status  int
	held    bytes.Buffer
	passes  bool
}

// newBufferedWriter wraps w. The caller has to call finish.
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

// Unwrap lets an [http.ResponseController] reach the writer below.
func (c *bufferedWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// finish sends the buffered answer.
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
		packed, _ := gzip.NewWriterLevel(c.ResponseWriter, gzip.BestSpeed) // the level is valid
		defer packed.Close()
		w = packed
	} else {
		h.Set("Content-Length", strconv.Itoa(c.held.Len()))
	}
	c.ResponseWriter.WriteHeader(c.status)
	_, _ = c.held.WriteTo(w) // a client that does not read has gone
}

// matches reports whether the client's list of tags has this one.
func matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || one != "" && strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// takesGzip reports whether the client accepts gzip.
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
