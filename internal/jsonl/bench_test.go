package jsonl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sesskeep/internal/jsonl"
)

// sample makes lines shaped like those of real transcripts: half of them about
// a kilobyte of envelope and usage, some with tool output of ten kilobytes and
// more, where every line of output is an escaped newline.
func sample(lines int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`the file func return err := range over internal/index/index.go:214: PASS ok
		if x == nil { 0.031s // not yet | main.go session value of each one in turn that would be read`)
	odd := strings.Fields(`"quoted" café 日本 — a\b`)
	output := func(n int) string {
		var s strings.Builder
		for s.Len() < n {
			s.WriteString(words[rng.IntN(len(words))])
			s.WriteByte(" \n\t                "[rng.IntN(19)])
			if rng.IntN(50) == 0 {
				s.WriteString(odd[rng.IntN(len(odd))])
			}
		}
		return s.String()
	}
	var b bytes.Buffer
	for i := range lines {
		size := 80
		switch n := rng.IntN(100); {
		case n >= 99:
			size = 40_000
		case n >= 90:
			size = 10_000
		case n >= 50:
			size = 900
		}
		text, _ := json.Marshal(output(size))
		fmt.Fprintf(&b, `{"parentUuid":"%08x-8c1e-4b5f-9d3c-6a2f0e7b1c4d","isSidechain":false,"userType":"external",`+
			`"cwd":"/home/someone/work/project","sessionId":"43860c56-1111-4222-8333-444455556666","version":"2.1.300",`+
			`"gitBranch":"main","type":"assistant","message":{"id":"msg_%020d","type":"message","role":"assistant",`+
			`"model":"claude-sonnet-4-5","content":[{"type":"text","text":%s}],"stop_reason":null,`+
			`"usage":{"input_tokens":%d,"output_tokens":%d,"cache_creation_input_tokens":12846,`+
			`"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0},"service_tier":"standard"}},`+
			`"requestId":"req_%020d","uuid":"%08x-8c1e-4b5f-9d3c-6a2f0e7b1c4d","timestamp":"2026-01-02T03:04:05.678Z"}`+"\n",
			i, i, text, rng.IntN(1000), rng.IntN(1000), i, i+1)
	}
	return b.Bytes()
}

func BenchmarkReader(b *testing.B) {
	data := sample(10_000)
	src := bytes.NewReader(data)
	var r jsonl.Reader
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.Reset(src, 0, 0)
		for r.Next() {
		}
	}
}

func BenchmarkSkip(b *testing.B) {
	data := sample(10_000)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	var p jsonl.Parser
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			p.Reset(line)
			if err := p.End(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkFields(b *testing.B) {
	data := sample(10_000)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	var p jsonl.Parser
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var sum int
	for b.Loop() {
		for _, line := range lines {
			p.Reset(line)
			for key := range p.Object() {
				switch string(key) {
				case "uuid", "parentUuid", "type", "timestamp":
					sum += len(p.Bytes())
				case "message":
					sum += message(&p)
				}
			}
			if err := p.End(); err != nil {
				b.Fatal(err)
			}
		}
	}
	if sum == 0 {
		b.Fatal("no field seen")
	}
}

// message takes what a reader of transcripts takes, all text included.
func message(p *jsonl.Parser) (n int) {
	for key := range p.Object() {
		switch string(key) {
		case "id", "model":
			n += len(p.Bytes())
		case "usage":
			for range p.Object() {
				n += int(p.Int())
			}
		case "content":
			for range p.Array() {
				for key := range p.Object() {
					if string(key) == "text" {
						n += len(p.Bytes())
					}
				}
			}
		}
	}
	return n
}

func BenchmarkValid(b *testing.B) {
	data := sample(10_000)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, line := range lines {
			if !json.Valid(line) {
				b.Fatal("not valid")
			}
		}
	}
}
