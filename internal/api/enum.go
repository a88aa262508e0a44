package api

import (
	"fmt"
	"reflect"
	"strings"

	"sesskeep/claudehome"
	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/errcode"
	"sesskeep/internal/jobs"
	"sesskeep/internal/keeping"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
	"sesskeep/internal/talk"
	"sesskeep/internal/view"

	"github.com/danielgtaylor/huma/v2"
)

// enums are the values of types whose package lists its constants. A test holds each list
// to the constants.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[access.PairingStatus](): values(access.PairingStatuses),
	reflect.TypeFor[access.Role]():          values(access.Roles()),
	reflect.TypeFor[ask.Source]():           values(ask.Sources),
	reflect.TypeFor[ask.Origin]():           values(ask.Origins),
	reflect.TypeFor[ask.Started]():          values(ask.StartedWords),
	reflect.TypeFor[claudehome.CommandKind](): values([]claudehome.CommandKind{
		claudehome.CommandSlash, claudehome.CommandSkill, claudehome.CommandAgent,
	}),
	reflect.TypeFor[claudehome.CommandScope](): values([]claudehome.CommandScope{claudehome.ScopeUser, claudehome.ScopeProject}),
	reflect.TypeFor[errcode.Code]():            values(errcode.Codes),
	reflect.TypeFor[jobs.State]():              values(jobs.States),
	reflect.TypeFor[keeping.RestoreState]():    values(keeping.RestoreStates),
	reflect.TypeFor[launch.Behavior]():         values(launch.Behaviors),
	reflect.TypeFor[launch.EventName]():        values(launch.EventNames),
	reflect.TypeFor[launch.Outcome]():          values(launch.Outcomes),
	reflect.TypeFor[launch.PromptKind]():       values(launch.PromptKinds),
	reflect.TypeFor[launch.Scope]():            values(launch.Scopes),
	reflect.TypeFor[launch.State]():            values(launch.States),
	reflect.TypeFor[shelf.State]():             values(shelf.States),
	reflect.TypeFor[talk.OutlineKind]():        values(talk.OutlineKinds),
	reflect.TypeFor[talk.TurnRole]():           values(talk.TurnRoles),
	reflect.TypeFor[view.PartKind]():           values(view.PartKinds),
	reflect.TypeFor[view.CallState]():          values(view.CallStates),
}

// Enum returns the values of a type whose package lists its constants; nil: it may have others.
func Enum(t reflect.Type) []any { return enums[t] }

func values[T ~string](list []T) (all []any) {
	for _, v := range list {
		all = append(all, string(v))
	}
	return all
}

// addEnums adds the values of fields whose constants are listed in a table, so that the
// document cannot forbid a value that the server sends.
func (s document) addEnums() {
	all := s.doc.Components.Schemas
	for name, schema := range all.Map() {
		t := all.TypeFromRef("#/components/schemas/" + name)
		if t == nil {
			continue
		}
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct {
			addFieldEnums(schema, t)
		}
	}
	if state := all.Map()["IndexState"]; state != nil {
		state.Properties["word"].Enum = values(ask.States)
	}
	s.addEventKinds()
}

// addFieldEnums adds the values of the types of fields. A tag of a field that names some of
// them stays.
func addFieldEnums(schema *huma.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			addFieldEnums(schema, f.Type)
			continue
		}
		if p := schema.Properties[name]; p != nil && len(p.Enum) == 0 && enums[f.Type] != nil {
			p.Enum = enums[f.Type]
			p.PrecomputeMessages()
		}
	}
}

// addEventKinds adds the kinds of events, each with what it means.
func (s document) addEventKinds() {
	event := s.doc.Components.Schemas.Map()["Event"]
	if event == nil {
		return
	}
	kinds, means := board.EventKinds()
	event.Properties["kind"].Enum = values(kinds)
	var lines []string
	for i, k := range kinds {
		lines = append(lines, fmt.Sprintf("`%s`: %s.", k, means[i]))
	}
	event.Properties["kind"].Description = strings.Join(lines, " ")
}
