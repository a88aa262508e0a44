package sesskeep

import (
	"slices"
	"strings"

	"sesskeep/internal/jsonl"
)

// BlockKind is the type of a content block as the file spells it.
type BlockKind string

// The block kinds that this package interprets. Others are passed on as they are.
const (
	BlockText       BlockKind = "text"
	BlockThinking   BlockKind = "thinking"
	BlockRedacted   BlockKind = "redacted_thinking"
	BlockToolUse    BlockKind = "tool_use"
	BlockToolResult BlockKind = "tool_result"
	BlockImage      BlockKind = "image"
	BlockDocument   BlockKind = "document"
)

// Block is one piece of a message's content.
type Block struct {
	Kind BlockKind
	Text string // of a text or thinking block
	ID   string // tool_use: its id; tool_result: the id of the call it answers
	Name string // tool_use: the tool
	// Input is the raw JSON of a call's arguments.
	Input []byte
	// Content is what a tool_result holds.
	Content []Block
	Error   bool // tool_result: the tool failed or was refused
	Source  Source
	// Signature is the length of a thinking block's signature, or of the
	// opaque data of a redacted one.
	Signature int
	Raw       []byte
}

// Source says where an image or document comes from.
type Source struct {
	Type      string // base64, url, file, text
	MediaType string
	URL       string
	Encoded   int // length of the base64 text
}

// Withheld reports whether the model thought but the client kept only the
// signature of the thinking, as it does since 2.1.69.
func (b Block) Withheld() bool {
	return b.Kind == BlockRedacted || b.Kind == BlockThinking && b.Text == "" && b.Signature > 0
}

// ServerTool reports whether the block is a call or a result of a tool that
// ran at the API. Such a call looks like a client's call under another name.
func (b Block) ServerTool() bool {
	return b.Kind == "server_tool_use" || b.Kind == "mcp_tool_use" ||
		b.Kind != BlockToolResult && strings.HasSuffix(string(b.Kind), "_tool_result")
}

// knownBlocks are all block kinds ever seen or documented.
var knownBlocks = []BlockKind{
	BlockText, BlockThinking, BlockRedacted, BlockToolUse, BlockToolResult,
	BlockImage, BlockDocument, "server_tool_use", "web_search_tool_result",
	"web_fetch_tool_result", "code_execution_tool_result",
	"bash_code_execution_tool_result", "text_editor_code_execution_tool_result",
	"mcp_tool_use", "mcp_tool_result", "container_upload", "search_result",
	"tool_reference", "tool_search_tool_result", "advisor_tool_result", "fallback",
}

// known reports whether the kind is one this version has heard of.
func (k BlockKind) known() bool { return slices.Contains(knownBlocks, k) }

// decodeContent reads a string or an array of blocks. Bare strings inside an
// array are text blocks; what is neither is kept raw.
func decodeContent(p *jsonl.Parser) []Block {
	switch p.Kind() {
	case jsonl.String:
		return []Block{{Kind: BlockText, Text: p.Text()}}
	case jsonl.Array:
		var blocks []Block
		for range p.Array() {
			blocks = append(blocks, decodeBlock(p))
		}
		return blocks
	case jsonl.Object:
		return []Block{{Kind: "object", Raw: p.Raw()}}
	}
	p.Skip()
	return nil
}

func decodeBlock(p *jsonl.Parser) Block {
	switch p.Kind() {
	case jsonl.String:
		return Block{Kind: BlockText, Text: p.Text()}
	case jsonl.Object:
	default:
		return Block{Kind: "value", Raw: p.Raw()}
	}
	raw := p.Raw()
	var in jsonl.Parser
	in.Reset(raw)
	b := Block{Raw: raw}
	for key := range in.Object() {
		b.field(&in, string(key))
	}
	return b
}

func (b *Block) field(p *jsonl.Parser, key string) {
	switch key {
	case "type":
		b.Kind = BlockKind(p.Text())
	case "text", "thinking":
		b.Text = p.Text()
	case "signature", "data":
		b.Signature = len(p.Bytes())
	case "id", "tool_use_id":
		b.ID = p.Text()
	case "name":
		b.Name = p.Text()
	case "input":
		b.Input = p.Raw()
	case "is_error":
		b.Error = p.Bool()
	case "content":
		b.Content = decodeContent(p)
	case "source":
		b.Source = decodeSource(p)
	}
}

func decodeSource(p *jsonl.Parser) Source {
	var s Source
	for key := range p.Object() {
		switch string(key) {
		case "type":
			s.Type = p.Text()
		case "media_type":
			s.MediaType = p.Text()
		case "url":
			s.URL = p.Text()
		case "data":
			s.Encoded = len(p.Bytes())
		}
	}
	return s
}
