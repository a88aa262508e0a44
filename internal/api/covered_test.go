package api

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/ask"

	"github.com/danielgtaylor/huma/v2"
)

// uncovered are the answers that list or count something of which a part cannot be given
// as the whole, by the operation, each with the reason.
var uncovered = map[string]string{
	"listActivity":      "the journal is read whole, or the request fails",
	"commands":          "it lists what cannot be read as problems",
	"listInbox":         "runs that cannot be read are in the list of runs",
	"listJobs":          "the server has its jobs in memory",
	"keepStatus":        "it lists what cannot be read as unread",
	"retention":         "it lists settings that cannot be read as problems",
	"keepVerify":        "it reports damage",
	"listAgents":        "it is about one session, and fails if that cannot be read",
	"blocks":            "it is about one transcript, and fails if that cannot be read",
	"listFiles":         "it is about one session, and fails if that cannot be read",
	"listMessages":      "it is about one transcript, and fails if that cannot be read",
	"outline":           "it is about one transcript, and fails if that cannot be read",
	"rawLines":          "it is about one transcript, and fails if that cannot be read",
	"tree":              "it is about one transcript, and fails if that cannot be read",
	"listRuns":          "it lists what cannot be read as unread",
	"getRun":            "it is about one run",
	"listTokens":        "the file of tokens is read whole, or the request fails",
	"listTrash":         "it lists what cannot be read as problems",
	"listLinks":         "it lists links that cannot be read with the problem",
	"previewDocument":   "it is about one session, and fails if that cannot be read",
	"repairSession":     "it is about one session, and fails if that cannot be read",
	"createLink":        "it is about one session, and fails if that cannot be read",
	"sqlTables":         "it lists what a statement can name, and no data",
	"revokeLink":        "it is about one link",
	"moveProject":       "it reads the folders of the project, or fails",
	"keepNow":           "it lists what could not be copied",
	"keepRestore":       "it lists what the copy lacks",
	"startRun":          "it is about one run",
	"listImages":        "it is about one run",
	"listRunningAgents": "it lists what could not be read",
	"sendToRun":         "it is about one run",
	"interruptRun":      "it is about one run",
	"stopRun":           "it is about one run",
	"setRun":            "it is about one run",
	"removeRun":         "it is about one run",
	"answerPrompt":      "it is about one run",
}

// Every answer that lists, counts or sums says how much it was made from.
func TestAnswersAreCovered(t *testing.T) {
	doc := documentServer().doc
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || strings.HasSuffix(op.OperationID, "OfAll") || op.Responses["200"] == nil {
				continue
			}
			media := op.Responses["200"].Content["application/json"]
			if media == nil || media.Schema.Ref == "" {
				continue
			}
			of := doc.Components.Schemas.TypeFromRef(media.Schema.Ref)
			switch reason, exempt := uncovered[op.OperationID]; {
			case exempt && reason != "":
				used[op.OperationID] = true
				if covers(of) {
					t.Errorf("%s says how much it was made from, and has no place in the table", op.OperationID)
				}
			case gathers(of) && !covers(of):
				t.Errorf("%s %s: %v lists, counts or sums, and has no ask.Coverage", op.Method, path, of)
			}
		}
	}
	for id := range uncovered {
		if !used[id] {
			t.Errorf("%s is no operation", id)
		}
	}
}

// covers reports whether an answer has a Coverage.
func covers(t reflect.Type) bool {
	f, ok := t.FieldByName("Coverage")
	return ok && (f.Type == reflect.TypeFor[ask.Coverage]() || f.Type == reflect.TypeFor[*ask.Coverage]())
}

// gathers reports whether an answer lists, counts or sums: it has a list of structs, or a
// total.
func gathers(t reflect.Type) bool {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		rows := f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct
		if name != "-" && (rows || name == "total" || name == "totals" || name == "facets") {
			return true
		}
	}
	return false
}
