package sesskeep

import "sesskeep/internal/jsonl"

// Data returns what an image or a document holds, as it is written: base64 where
// Source.Type says so. It is part of Raw.
func (b Block) Data() (data []byte) {
	var p jsonl.Parser
	p.Reset(b.Raw)
	for key := range p.Object() {
		if string(key) != "source" {
			continue
		}
		for key := range p.Object() {
			if string(key) == "data" {
				data = p.Bytes()
			}
		}
	}
	return data
}
