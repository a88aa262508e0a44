package api

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// meter counts requests and answers.
type meter struct {
	classes [6]atomic.Int64 // answers by the first digit of their status
	bytes   atomic.Int64
	micros  atomic.Int64 // time spent on answers
	running atomic.Int64
}

func (m *meter) record(r *recorder, took time.Duration) {
	if class := r.status / 100; class >= 1 && class < len(m.classes) {
		m.classes[class].Add(1)
	}
	m.bytes.Add(r.bytes)
	m.micros.Add(took.Microseconds())
}

// metrics writes the counters in the text format of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	catalog, err := s.opts.App.Catalog.Snapshot(r.Context())
	if err != nil {
		return err
	}
	files, bytes, err := catalog.Size(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	write := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP sesskeep_%s %s\n# TYPE sesskeep_%s %s\nsesskeep_%s %v\n", name, help, name, kind, name, value)
	}
	fmt.Fprint(w, "# HELP sesskeep_http_requests_total Requests answered.\n# TYPE sesskeep_http_requests_total counter\n")
	for class := 2; class < len(s.meter.classes); class++ {
		fmt.Fprintf(w, "sesskeep_http_requests_total{status=\"%dxx\"} %d\n", class, s.meter.classes[class].Load())
	}
	write("http_response_bytes_total", "counter", "Bytes of all answers.", s.meter.bytes.Load())
	write("http_request_seconds_total", "counter", "Time spent on answers, streams included.", float64(s.meter.micros.Load())/1e6)
	write("http_requests_running", "gauge", "Requests being answered, streams included.", s.meter.running.Load())
	write("transcripts", "gauge", "Transcripts in all homes.", files)
	write("transcript_bytes", "gauge", "Size of all transcripts.", bytes)
	write("projects", "gauge", "Projects in all homes.", len(catalog.Projects))
	write("uptime_seconds", "gauge", "Time since the server started.", int(s.opts.Now().Sub(s.startedAt).Seconds()))
	return nil
}
