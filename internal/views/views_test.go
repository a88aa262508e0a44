package views_test

import (
	"strings"
	"testing"

	"sesskeep/internal/storetest"
	"sesskeep/internal/views"
)

// contract is what statements rely on. Columns are added; none is ever renamed or removed.
var contract = map[string]string{
	"sessions": "last_activity_at created_at message_count prompt_count conversation_count file_size title id project_path project dir_name root home machine " +
		"custom_title git_branch model models tags own_tags source started entrypoint client_version note starred archived_at origin problems is_agent agent_id " +
		"agent_type description parent_session_id forked_from continued_in agent_sessions slug last_user_message last_assistant_message address usd agents_usd context_tokens",
	"prompts":  "session project source time day text uuid line address",
	"messages": "session project source time day text uuid line address role model message thinking raw",
	"tool_calls": "session project source time day tool file act failed answered duration_ms added removed branch line result_line prompt_line call_id copied " +
		"input output address",
	"usage_by_message": "session transcript project source by_agent time day model branch input output cache_read cache_write_5m cache_write_1h web_searches usd trashed",
	"projects":         "project name path dir_name root repository sessions agents last_activity_at file_size",
	"runs":             "id session created_at ended_at state why title dir model permission_mode role purpose started_by",
	"file_changes":     "session project source time day file act tool failed added removed branch line prompt_line address",
	"days":             "day prompts answers tool_calls failed_calls input output cache_read cache_write usd",
}

func TestContract(t *testing.T) {
	has := map[string]bool{}
	for _, table := range views.Tables().Tables {
		if contract[table.Name] == "" || table.About == "" {
			t.Errorf("the table %s is not in the contract, or has no sentence", table.Name)
		}
		has[table.Name] = true
		for _, c := range table.Columns {
			has[table.Name+"."+c.Name] = true
			if c.About == "" || c.Type == "" {
				t.Errorf("%s.%s has no sentence or no type", table.Name, c.Name)
			}
		}
	}
	for table, columns := range contract {
		for column := range strings.FieldsSeq(columns) {
			if !has[table+"."+column] {
				t.Errorf("%s.%s is gone: statements of users rely on it", table, column)
			}
		}
	}
}

// TestTablesDocumented holds docs/sql.md to the tables.
func TestTablesDocumented(t *testing.T) {
	storetest.GeneratedPart(t, "../../docs/sql.md", "tables", views.Document(), "run make docs")
}
