package claudehome_test

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/claudehome"
)

func TestTodos(t *testing.T) {
	s := openHome(t, strings.NewReplacer("A", sessionA, "B", sessionB).Replace(`
-- todos/A-agent-A.json --
[{"content":"first","status":"in_progress","activeForm":"Doing first"},{"content":"second","status":"pending","id":2,"priority":"high"}]
-- todos/A-agent-64bdad98.json --
[{"content":"by the agent","status":"completed"},7]
-- todos/B-agent-B.json --
[]
-- todos/B-agent-bad.json --
[{"content":
-- todos/notes.txt --
`))
	for _, tt := range []struct {
		session sesskeep.SessionID
		want    string
		bad     int
	}{
		{"", "64bdad98[by the agent:completed :] " + sessionA + "[first:in_progress second:pending]", 2},
		{sessionA, "64bdad98[by the agent:completed :] " + sessionA + "[first:in_progress second:pending]", 1},
		{sessionB, "", 1},
		{"none", "", 0},
	} {
		lists, problems, err := claudehome.Todos(s, tt.session)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range lists {
			var items []string
			for _, i := range l.Items {
				items = append(items, i.Content+":"+i.Status)
			}
			got = append(got, fmt.Sprint(l.Agent, items))
			if l.Session != sessionA || l.Modified.IsZero() {
				t.Errorf("list %+v", l)
			}
		}
		if strings.Join(got, " ") != tt.want || len(problems) != tt.bad {
			t.Errorf("%q: got %q, problems %v", tt.session, got, problems)
		}
	}
}

func TestTasks(t *testing.T) {
	s := openHome(t, strings.NewReplacer("A", sessionA).Replace(`
-- tasks/A/.lock --
-- tasks/A/10.json --
{"id":"10","subject":"last","status":"pending","blockedBy":["2"]}
-- tasks/A/2.json --
{"id":2,"subject":"second","status":"completed","blocks":["10"],"owner":"me","metadata":{"k":1}}
-- tasks/A/3.json --
{"id":
-- tasks/team/1.json --
{"subject":"ours","status":"in_progress"}
-- tasks/empty/.highwatermark --
3
`))
	for _, tt := range []struct {
		owner, want string
		bad         int
	}{
		{"", sessionA + "/[2:second:completed 10:last:pending] /team[1:ours:in_progress]", 1},
		{"team", "/team[1:ours:in_progress]", 0},
		{"../todos", "", 0},
	} {
		lists, problems, err := claudehome.Tasks(s, tt.owner)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range lists {
			var tasks []string
			for _, task := range l.Tasks {
				tasks = append(tasks, task.ID+":"+task.Subject+":"+task.Status)
			}
			got = append(got, fmt.Sprint(l.Session, "/", l.Team, tasks))
		}
		if strings.Join(got, " ") != tt.want || len(problems) != tt.bad {
			t.Errorf("%q: got %q, problems %v", tt.owner, got, problems)
		}
	}
	lists, _, _ := claudehome.Tasks(s, sessionA)
	if task := lists[0].Tasks[0]; task.Owner != "me" || string(task.Metadata) != `{"k":1}` || fmt.Sprint(task.Blocks) != "[10]" {
		t.Errorf("task %+v", task)
	}
}

func TestRealTodosAndTasks(t *testing.T) {
	todos, tasks := 0, 0
	for name, s := range realHomes(t, "*/.claude") {
		todoLists, bad, err := claudehome.Todos(s, "")
		if err != nil || len(bad) != 0 {
			t.Errorf("%s: todos: problems %v, error %v", name, bad, err)
		}
		for _, l := range todoLists {
			todos += len(l.Items)
		}
		taskLists, bad, err := claudehome.Tasks(s, "")
		if err != nil || len(bad) != 0 {
			t.Errorf("%s: tasks: problems %v, error %v", name, bad, err)
		}
		for _, l := range taskLists {
			tasks += len(l.Tasks)
		}
	}
	if todos == 0 || tasks < 6 {
		t.Errorf("%d todos and %d tasks in all homes", todos, tasks)
	}
}
