package demo

// oldStories were written by clients that ada used long ago, in the directory
// that my.app and my-app share.
func (h *home) oldStories() {
	const dir = "/home/ada/src/my.app"
	a := h.session(plot{name: "components", cwd: dir, branch: "main", start: 24*day + 5*hour, version: flat, model: oldSonnet})
	a.warmup(2)
	a.prompt("Move the settings page to web components")
	a.answer(text("I'll look at what there is first."),
		oldTask("general-purpose", "Map the settings page", "List what settings.js does and who calls it.", func(t *session) {
			t.answer(read("settings.js"))
			t.answer(text("settings.js draws a form from localStorage; only main.js calls draw()."))
		}),
		read("settings.js"))
	a.answer(todo("> Custom element for the page", "Escape values", "Remove SettingsPage"))
	a.answer(edit("settings.js", "export class SettingsPage {\n  constructor(root) {\n    this.root = root;\n", "export class SettingsPage extends HTMLElement {\n  connectedCallback() {\n"))
	a.answer(bash("Run the tests", "npm test", "3 passing (41ms)"))
	a.answer(text("`<settings-page>` is a custom element now. Values are not escaped yet: that is the next step."))
	a.oldTodos()
	a.exit()

	b := h.session(plot{name: "escape", cwd: dir, branch: "main", start: 23*day + 2*hour, version: flat, model: oldSonnet})
	b.warmup(4)
	b.prompt("Escape the values before they go into innerHTML")
	b.answer(think("Building HTML from strings is the root of it. Creating inputs and setting .value needs no escaping."),
		text("Better: create the inputs and set their value, then nothing needs escaping."),
		oldTask("general-purpose", "Find innerHTML", "Find every use of innerHTML.", func(t *session) {
			t.answer(bash("Search", "grep -rn innerHTML .", "./settings.js:8"))
			t.answer(text("Only settings.js:8."))
		}))
	b.answer(text("Done: no innerHTML is left."))
	b.exit()

	// Started, resumed something else, never used: an empty file stays behind.
	e := h.session(plot{name: "empty", cwd: dir, branch: "main", start: 23*day + hour, version: flat, model: oldSonnet})
	e.warmup(4)
	e.last = e.clock
	e.h.put(e.path(), nil, e.clock)

	o := h.session(plot{name: "render", cwd: "/home/ada/src/my-app", branch: "master", start: 27*day + 7*hour, version: inline, model: oldestSonnet})
	o.prompt("The server renders every page twice. Why?")
	o.answer(text("I'll have an agent trace one request."),
		oldTask("general-purpose", "Trace a request", "Trace what happens for GET / in server.js.", func(t *session) {
			t.answer(read("server.js"))
			t.answer(bash("Ask the server", "curl -s localhost:8080/ -o /dev/null -w '%{num_connects}' && tail -2 access.log", "1\nGET /\nGET /favicon.ico"))
			t.answer(text("The second render is for /favicon.ico: the handler renders for every path."))
		}))
	o.answer(edit("server.js", "    res.setHeader(", "    if (req.url === \"/favicon.ico\") return res.writeHead(204).end();\n    res.setHeader("))
	o.answer(text("The browser asks for /favicon.ico, and the handler rendered a page for it. It now answers 204."))
	o.exit()

	c := h.session(plot{name: "deploy", cwd: dir, branch: "main", start: 22*day + 20*hour, version: flat, model: oldSonnet})
	c.warmup(2)
	c.prompt("Deploy to the preview server")
	c.answer(bashFails("Deploy", "npm run deploy:preview", 1, "error: preview.example.org: permission denied (publickey)"))
	c.answer(text("The preview server does not accept the key of this machine. I stopped there."))
	c.summary("Settings page: no more innerHTML", b.tip)
	c.summary("Move the settings page to web components", a.tip)
	c.summary("Pages rendered twice because of favicon.ico", o.tip)
	c.exit()
}
