package view

import (
	"fmt"
	"strings"
)

// tool is what we know about a tool. Every field may be missing.
type tool struct {
	short   string
	summary func(c *Call, in fields, cwd string) string
	outcome func(c *Call, data fields) string // of a call that succeeded
	input   func(c *Call, in fields)          // sets the fields of a Call that come from the input
	result  func(c *Call, data fields)        // sets the fields of a Call that come from the result
	quiet   bool                              // the size of its output is meaningless
}

// tools are the tools of the clients 1.0 to 2.1, by name.
var tools = map[string]tool{
	"Bash":       {short: "bash", summary: bashSummary, input: bashInput, outcome: bashOutcome},
	"PowerShell": {short: "shell", summary: bashSummary, input: bashInput, outcome: bashOutcome},
	"BashOutput": {short: "bash", summary: pick("bash_id", "shell_id")},
	"KillShell":  {short: "kill", summary: pick("shell_id", "bash_id"), quiet: true},
	"KillBash":   {short: "kill", summary: pick("shell_id", "bash_id"), quiet: true},

	"Read":         {short: "read", summary: path("file_path"), outcome: readOutcome},
	"Edit":         {short: "edit", summary: path("file_path"), outcome: editOutcome, quiet: true},
	"MultiEdit":    {short: "edit", summary: path("file_path"), outcome: editOutcome, quiet: true},
	"Write":        {short: "write", summary: path("file_path"), outcome: editOutcome, quiet: true},
	"NotebookEdit": {short: "edit", summary: path("notebook_path"), outcome: editOutcome, quiet: true},
	"NotebookRead": {short: "read", summary: path("notebook_path"), outcome: readOutcome},
	"LS":           {short: "ls", summary: path("path")},
	"Grep":         {short: "grep", summary: patternSummary, outcome: foundOutcome},
	"Glob":         {short: "glob", summary: patternSummary, outcome: foundOutcome},
	"LSP":          {short: "lsp", summary: lspSummary},

	"Agent": {short: "agent", summary: agentSummary, input: agentInput, outcome: agentOutcome},
	"Task":  {short: "task", summary: agentSummary, input: agentInput, outcome: agentOutcome},

	"TodoWrite":  {short: "todo", summary: todoSummary, input: todoInput, quiet: true},
	"TaskCreate": {short: "todo", summary: pick("subject", "description"), outcome: taskCreated, quiet: true},
	"TaskUpdate": {short: "todo", summary: taskUpdate, quiet: true},
	"TaskGet":    {short: "todo", summary: taskID},
	"TaskList":   {short: "todo", outcome: taskCount},
	"TaskOutput": {short: "task", summary: pick("task_id", "agentId")},
	"TaskStop":   {short: "kill", summary: pick("task_id", "shell_id"), quiet: true},

	"WebFetch":   {short: "web", summary: pick("url"), outcome: fetchOutcome},
	"WebSearch":  {short: "search", summary: pick("query"), outcome: searchOutcome},
	"web_fetch":  {short: "web", summary: pick("url")},
	"web_search": {short: "search", summary: pick("query")},
	"ToolSearch": {short: "search", summary: pick("query"), quiet: true},

	"ExitPlanMode":    {short: "plan", summary: planSummary, input: planInput, result: planResult, outcome: planOutcome},
	"EnterPlanMode":   {short: "plan", quiet: true},
	"AskUserQuestion": {short: "ask", summary: askSummary, input: askInput, result: askResult, outcome: askOutcome, quiet: true},
	"Skill":           {short: "skill", summary: skillSummary, quiet: true},
	"SlashCommand":    {short: "skill", summary: pick("command"), quiet: true},
	"SendMessage":     {short: "send", summary: sendSummary, quiet: true},
}

// toolOf returns what we know about the call's tool. An unknown tool keeps its own
// name.
func toolOf(c *Call) tool {
	if c.Server != "" {
		return tool{short: "mcp", summary: mcpSummary}
	}
	if t, ok := tools[c.Tool]; ok {
		return t
	}
	return tool{short: strings.ToLower(c.Tool)}
}

// pick summarises a call by the first of the named fields that has text.
func pick(keys ...string) func(*Call, fields, string) string {
	return func(_ *Call, in fields, _ string) string { return firstLine(in.first(keys...)) }
}

// path summarises a call by the file it is about.
func path(key string) func(*Call, fields, string) string {
	return func(c *Call, in fields, cwd string) string {
		c.File = in.first(key, "path", "file_path")
		return relative(cwd, c.File)
	}
}

func mcpSummary(c *Call, in fields, _ string) string {
	return c.Server + "·" + c.Tool + " " + firstLine(firstString(c.Input))
}

func bashSummary(_ *Call, in fields, _ string) string {
	return firstLine(in.first("description", "command"))
}

func bashInput(c *Call, in fields) { c.Command = in.text("command") }

func bashOutcome(c *Call, data fields) string {
	if data.text("backgroundTaskId") != "" {
		return "in background"
	}
	if s := data.text("returnCodeInterpretation"); s != "" {
		return s
	}
	if c.Persisted != "" || data.raw("stdout") == nil {
		return "" // the amount that the model saw has to suffice
	}
	n := lineCount(data.text("stdout")) + lineCount(data.text("stderr"))
	switch {
	case n > 0:
		return plural(n, "line")
	case data.flag("isImage") || c.Images > 0:
		return plural(max(c.Images, 1), "image")
	}
	return "no output"
}

func readOutcome(c *Call, data fields) string {
	file := data.object("file")
	switch data.text("type") {
	case "text":
		if n, ok := file.count("numLines"); ok {
			return plural(n, "line")
		}
	case "image", "pdf", "parts":
		if n, ok := file.count("originalSize"); ok {
			return size(n)
		}
	case "notebook":
		return plural(len(file.list("cells")), "cell")
	case "file_unchanged":
		return "unchanged"
	}
	return ""
}

func editOutcome(c *Call, _ fields) string { return changed(c) }

func patternSummary(_ *Call, in fields, cwd string) string {
	s := in.text("pattern")
	if where := in.text("path"); where != "" && s != "" {
		if where = relative(cwd, where); where != "." {
			s += " in " + where
		}
	}
	return s
}

func foundOutcome(c *Call, data fields) string {
	if n, ok := data.count("numMatches"); ok && n > 0 {
		return plural(n, "match")
	}
	if n, ok := data.count("numLines"); ok && data.text("mode") == "content" {
		return plural(n, "line")
	}
	if n, ok := data.count("numFiles"); ok {
		return plural(n, "file")
	}
	if names := data.list("filenames"); names != nil {
		return plural(len(names), "file")
	}
	if strings.HasPrefix(c.Output, "No files found") || strings.HasPrefix(c.Output, "No matches found") {
		return "nothing"
	}
	return ""
}

func lspSummary(_ *Call, in fields, cwd string) string {
	return in.text("operation") + " " + relative(cwd, in.text("filePath"))
}

func skillSummary(_ *Call, in fields, _ string) string {
	return in.first("skill", "command") + " " + firstLine(in.text("args"))
}

func sendSummary(_ *Call, in fields, _ string) string {
	return fmt.Sprintf("%s: %s", in.first("to", "recipient"), firstLine(in.first("summary", "content", "message")))
}

func fetchOutcome(_ *Call, data fields) string {
	if code, ok := data.count("code"); ok && code >= 300 {
		return strings.TrimSpace(fmt.Sprintf("%d %s", code, data.text("codeText")))
	}
	if n, ok := data.count("bytes"); ok {
		return size(n)
	}
	return ""
}

func searchOutcome(_ *Call, data fields) string {
	if data.raw("results") == nil {
		return ""
	}
	n := 0
	for _, raw := range data.list("results") { // skips the texts and nulls between them
		n += len(object(raw).list("content"))
	}
	return plural(n, "result")
}
