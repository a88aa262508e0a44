package demo

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"time"
)

// sources are the files of ada's projects, as src/<project>/<path>.txt.
//
//go:embed src
var sources embed.FS

// source is the text of a file of a project, or nothing if it has none.
func source(name string) string {
	data, err := sources.ReadFile("src/" + name + ".txt")
	if err != nil {
		return ""
	}
	return string(data)
}

// content is the text of the file at name, below the working directory.
func (s *session) content(name string) string {
	if _, ok := s.files[name]; !ok {
		root, _, _ := strings.Cut(s.cwd, "/.claude/worktrees/")
		s.files[name] = source(path.Base(root) + "/" + name)
	}
	return s.files[name]
}

func tool(name string, input fields, run func(s *session, c call) outcome) block {
	return block{kind: "tool_use", tool: name, input: input, run: run}
}

// plain is a call whose result is one text.
func plain(name string, input fields, content string, result any) block {
	return tool(name, input, func(*session, call) outcome { return outcome{content: content, result: result} })
}

// bash is a command that worked.
func bash(description, command, output string) block {
	return tool("Bash", fields{"command", command, "description", description}, func(s *session, c call) outcome {
		result := fields{"stdout", output, "stderr", "", "interrupted", false, "isImage", false}
		if s.modern() {
			result = append(result, "noOutputExpected", false)
		}
		s.h.mkdir("session-env/"+s.id, s.clock)
		if len(output) > overflow && s.modern() {
			return s.persisted(output, result)
		}
		return outcome{content: output, result: result, took: time.Duration(s.ids.between(90, 2600)) * time.Millisecond}
	})
}

// bashFails is a command that did not.
func bashFails(description, command string, code int, output string) block {
	return tool("Bash", fields{"command", command, "description", description}, func(s *session, c call) outcome {
		s.h.mkdir("session-env/"+s.id, s.clock)
		text := strings.TrimSpace(fmt.Sprintf("Exit code %d\n%s", code, output))
		return outcome{content: text, result: "Error: " + text, failed: true,
			took: time.Duration(s.ids.between(400, 3100)) * time.Millisecond}
	})
}

// overflow is how many characters of output the client keeps in the line.
const overflow = 30_000

// persisted puts a large output into a file of its own.
func (s *session) persisted(output string, result fields) outcome {
	name := projectDir(s.cwd) + "/" + s.id + "/tool-results/b" + s.ids.hex(8) + ".txt"
	s.h.put(name, []byte(output), s.clock)
	shown := fmt.Sprintf("<persisted-output>\nOutput too large (%.1fKB). Full output saved to: /home/ada/.claude/%s\n\nPreview (first 2KB):\n%s\n...\n</persisted-output>",
		float64(len(output))/1024, name, output[:2000])
	result = append(result.with("stdout", output[:overflow]),
		"persistedOutputPath", "/home/ada/.claude/"+name, "persistedOutputSize", len(output))
	return outcome{content: shown, result: result, took: 7 * time.Second}
}

// read is the Read tool on a file of the project.
func read(name string) block {
	return fileTool("Read", name, nil, func(s *session, c call) outcome {
		text := s.content(name)
		lines := strings.Split(text, "\n")
		var numbered strings.Builder
		for i, line := range lines {
			if s.modern() {
				fmt.Fprintf(&numbered, "%d\t%s\n", i+1, line)
			} else {
				fmt.Fprintf(&numbered, "%6d→%s\n", i+1, line)
			}
		}
		return outcome{content: strings.TrimSuffix(numbered.String(), "\n"), result: fields{"type", "text", "file", fields{
			"filePath", s.cwd + "/" + name, "content", text,
			"numLines", len(lines), "startLine", 1, "totalLines", len(lines)}}}
	})
}

// create is the Write tool making a new file.
func create(name, text string) block {
	return fileTool("Write", name, fields{"content", text}, func(s *session, c call) outcome {
		s.backup(name, c.uuid)
		s.files[name] = text
		s.meter.added += strings.Count(text, "\n")
		target := s.cwd + "/" + name
		return outcome{content: "File created successfully at: " + target, result: fields{"type", "create", "filePath", target,
			"content", text, "structuredPatch", []any{}, "originalFile", nil, "userModified", false}}
	})
}

// edit is the Edit tool. The file must have old in it.
func edit(name, old, new string) block {
	input := fields{"replace_all", false, "old_string", old, "new_string", new}
	return fileTool("Edit", name, input, func(s *session, c call) outcome {
		text := s.content(name)
		at := strings.Index(text, old)
		if at < 0 {
			panic(fmt.Sprintf("demo: %s has no %q", name, old))
		}
		s.backup(name, c.uuid)
		s.files[name] = text[:at] + new + text[at+len(old):]
		patch := hunk(text, s.files[name])
		for _, line := range patch[patch.index("lines")].([]string) {
			switch line[0] {
			case '+':
				s.meter.added++
			case '-':
				s.meter.removed++
			}
		}
		target := s.cwd + "/" + name
		return outcome{content: "The file " + target + " has been updated successfully.", result: fields{
			"filePath", target, "oldString", old, "newString", new, "originalFile", text,
			"structuredPatch", []any{patch}, "userModified", false, "replaceAll", false}}
	})
}

// fileTool is a tool with a file_path.
func fileTool(name, file string, input fields, run func(s *session, c call) outcome) block {
	return tool(name, append(fields{"file_path", file}, input...), run)
}

// absolute makes the file_path of a call absolute. Stories name files as seen
// from the working directory.
func (s *session) absolute(input fields) fields {
	if name := input.text("file_path"); name != "" && name[0] != '/' {
		return input.with("file_path", s.cwd+"/"+name)
	}
	return input
}

// hunk is the difference as the client keeps it: three lines around the change.
func hunk(before, after string) fields {
	old := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	new := strings.Split(strings.TrimSuffix(after, "\n"), "\n")
	same := 0 // lines at the start
	for same < min(len(old), len(new)) && old[same] == new[same] {
		same++
	}
	rest := 0 // lines at the end
	for rest < min(len(old), len(new))-same && old[len(old)-1-rest] == new[len(new)-1-rest] {
		rest++
	}
	start, end := max(0, same-3), min(rest, 3)
	var lines []string
	prefixed := func(sign string, from []string) {
		for _, line := range from {
			lines = append(lines, sign+line)
		}
	}
	prefixed(" ", old[start:same])
	prefixed("-", old[same:len(old)-rest])
	prefixed("+", new[same:len(new)-rest])
	prefixed(" ", old[len(old)-rest:][:end])
	return fields{"oldStart", start + 1, "oldLines", len(old) - rest + end - start,
		"newStart", start + 1, "newLines", len(new) - rest + end - start, "lines", lines}
}

// todo is TodoWrite: "x " starts what is done, "> " what is being done.
func todo(items ...string) block {
	var todos []any
	for _, item := range items {
		status := "pending"
		if rest, ok := strings.CutPrefix(item, "x "); ok {
			item, status = rest, "completed"
		} else if rest, ok := strings.CutPrefix(item, "> "); ok {
			item, status = rest, "in_progress"
		}
		todos = append(todos, fields{"content", item, "status", status, "activeForm", "Working: " + item})
	}
	return tool("TodoWrite", fields{"todos", todos}, func(s *session, c call) outcome {
		old := s.todos
		s.todos = todos
		return outcome{content: "Todos have been modified successfully.",
			result: fields{"oldTodos", old, "newTodos", todos}}
	})
}

// refused is a call that ada did not allow.
func refused(b block, why string) block {
	b.run = func(*session, call) outcome {
		return outcome{content: "The user did not allow this tool use and said: " + why,
			result: "User rejected tool use", failed: true, denied: true, took: 14 * time.Second}
	}
	return b
}
