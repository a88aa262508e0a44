package view

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// This file is about how work is delegated and tracked: agents, to-do lists, plans,
// questions.

func agentInput(c *Call, in fields) { c.Prompt = in.text("prompt") }

func agentSummary(_ *Call, in fields, _ string) string {
	kind, about := in.first("subagent_type", "name"), firstLine(in.first("description", "prompt"))
	if kind == "" || about == "" {
		return kind + about
	}
	return kind + " “" + about + "”"
}

var toolUses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\btool_uses: (\d{1,9})\b`) })

// agentOutcome returns how many calls the agent made. For an agent started by an
// agent, only the text has that number.
func agentOutcome(c *Call, data fields) string {
	if n, ok := data.count("totalToolUseCount"); ok {
		return plural(n, "call")
	}
	if all := toolUses().FindAllStringSubmatch(c.Output, -1); all != nil {
		n, _ := strconv.Atoi(all[len(all)-1][1])
		return plural(n, "call")
	}
	return ""
}

func todoInput(c *Call, in fields) {
	for _, raw := range in.list("todos") {
		item := object(raw)
		c.Todos = append(c.Todos, Todo{Text: item.first("content", "activeForm"), Status: item.text("status")})
	}
}

// todoSummary returns the progress of the list and its current item: 3/7 → current item.
func todoSummary(c *Call, _ fields, _ string) string {
	if len(c.Todos) == 0 {
		return ""
	}
	done, current := 0, ""
	for _, t := range c.Todos {
		switch {
		case t.Status == "completed":
			done++
		case t.Status == "in_progress" && current == "":
			current = " → " + t.Text
		}
	}
	return fmt.Sprintf("%d/%d%s", done, len(c.Todos), current)
}

func taskID(_ *Call, in fields, _ string) string { return "#" + in.text("taskId") }

// taskUpdate returns the new status of a task, or which fields were set.
func taskUpdate(_ *Call, in fields, _ string) string {
	s := "#" + in.text("taskId")
	if to := in.first("status", "owner", "subject"); to != "" {
		return s + " → " + to
	}
	var names []string
	for _, m := range in {
		if name := string(m.name); name != "taskId" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return s + " " + strings.Join(names, " ")
}

func taskCreated(_ *Call, data fields) string {
	if id := data.object("task").text("id"); id != "" {
		return "#" + id
	}
	return ""
}

func taskCount(_ *Call, data fields) string {
	if data.raw("tasks") == nil {
		return ""
	}
	return plural(len(data.list("tasks")), "task")
}

func planInput(c *Call, in fields) { c.Plan = in.text("plan") }

func planResult(c *Call, data fields) {
	if c.Plan == "" {
		c.Plan = data.text("plan")
	}
}

func planSummary(c *Call, _ fields, _ string) string {
	return strings.TrimLeft(firstLine(c.Plan), "# ")
}

func planOutcome(*Call, fields) string { return "approved" }

func askInput(c *Call, in fields) {
	for _, raw := range in.list("questions") {
		q := object(raw)
		question := Question{Text: q.first("question", "header")}
		for _, option := range q.list("options") {
			label := object(option).text("label")
			if label == "" {
				label = stringOf(option)
			}
			question.Options = append(question.Options, label)
		}
		c.Questions = append(c.Questions, question)
	}
}

func askResult(c *Call, data fields) {
	answers := data.object("answers")
	for i := range c.Questions {
		c.Questions[i].Answer = answers.text(c.Questions[i].Text)
	}
}

func askSummary(c *Call, _ fields, _ string) string {
	var texts []string
	for _, q := range c.Questions {
		texts = append(texts, q.Text)
	}
	return strings.Join(texts, " ")
}

func askOutcome(c *Call, _ fields) string {
	var answers []string
	for _, q := range c.Questions {
		if q.Answer != "" {
			answers = append(answers, q.Answer)
		}
	}
	return strings.Join(strings.Fields(strings.Join(answers, ", ")), " ")
}
