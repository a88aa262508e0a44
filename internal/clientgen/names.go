package clientgen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// methodOf returns the method of an operation.
func methodOf(id string) string {
	if id == "searchProject" {
		return "Search"
	}
	return exported(id)
}

// given are the Go names of schemas whose own name says little outside the server.
var given = map[string]string{
	"HolderRecord": "Run", "RunShown": "RunDetails", "SessionsStruct": "CleanSessions",
	"LaunchPrompt": "Question", "LaunchEvent": "RunEvent", "LaunchCost": "RunCost", "LaunchExit": "RunExit", "LaunchRule": "PermissionRule", "LaunchAsked": "PromptQuestion", "LaunchOption": "PromptOption",
	"IndexProblem": "Damage", "SesskeepProblem": "LineProblem", "SesskeepUsage": "TokenUsage", "PriceLine": "PricedAmount",
	"ViewQuestion": "AskedQuestion",
}

// packages are the prefixes that schemas have by the package of their type.
var packages = []string{"Index", "Launch", "Live", "Money", "Price", "Sesskeep", "Shelf", "View"}

// typeNames returns the Go type of every schema. A schema loses the prefix of its package
// where no other schema has the short name.
func (d *document) typeNames() map[string]string {
	names := map[string]string{}
	used := map[string]bool{}
	for schema := range d.Components.Schemas {
		used[exported(schema)] = true
	}
	for _, schema := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		name := exported(schema)
		if body, ok := strings.CutSuffix(name, "InputBody"); ok {
			name = body + "Request"
		}
		for _, p := range packages {
			if short, ok := strings.CutPrefix(name, p); ok && short != "" && !used[short] && strings.ToUpper(short[:1]) == short[:1] {
				name = short
				break
			}
		}
		names[schema] = cmp.Or(given[schema], name)
		used[names[schema]] = true
	}
	return names
}

// describe returns the comment of a type: the description of its schema under the Go name.
func (g *generator) describe(schema string, d *document) string {
	name, text := g.names[schema], strings.TrimSuffix(d.Components.Schemas[schema].Description, ".")
	first, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasSuffix(schema, "InputBody"):
		return fmt.Sprintf("%s is the body of %s.", name, g.senders(schema, d))
	case first != "" && rest != "" && strings.HasSuffix(schema, first):
		return name + " " + rest + "."
	}
	return fmt.Sprintf("%s is the schema %s of the API.", name, schema)
}

// senders lists the methods that send a schema.
func (g *generator) senders(schema string, d *document) string {
	var list []string
	for _, op := range d.operations() {
		if s := op.body(); s != nil && strings.HasSuffix(s.Ref, "/"+schema) {
			list = append(list, methodOf(op.ID))
		}
	}
	return cmp.Or(strings.Join(list, " and "), "a request")
}

// verbs returns the verbs of all summaries: their first words, and those in lower case that
// only follow another verb.
func (d *document) verbs() map[string]bool {
	verbs := map[string]bool{"collect": true, "create": true, "delete": true, "end": true, "resume": true}
	for _, op := range d.operations() {
		first, _, _ := strings.Cut(op.Summary, " ")
		verbs[strings.ToLower(first)] = true
	}
	return verbs
}

// thirdPerson turns a summary such as "Rescan all homes and list projects" into what a
// method does: "rescans all homes and lists projects".
func (g *generator) thirdPerson(summary string) string {
	words := strings.Fields(summary)
	for i, w := range words {
		if i == 0 {
			w = strings.ToLower(w)
		}
		adverb := i > 0 && strings.HasSuffix(words[i-1], "ly")
		after := i == 0 || adverb || strings.HasSuffix(words[i-1], ":") || slices.Contains([]string{"and", "or", "then"}, words[i-1])
		switch {
		case i == 0 && strings.HasSuffix(w, "ly"):
			words[i] = w
		case after && (g.verbs[w] || i == 0):
			words[i] = conjugate(w)
		}
	}
	return strings.Join(words, " ")
}

func conjugate(verb string) string {
	switch {
	case strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "o"):
		return verb + "es"
	case strings.HasSuffix(verb, "py"), strings.HasSuffix(verb, "fy"):
		return strings.TrimSuffix(verb, "y") + "ies"
	}
	return verb + "s"
}
