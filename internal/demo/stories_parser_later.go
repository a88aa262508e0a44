package demo

// flakyCompacted continues after a compaction; the last command still runs.
func flakyCompacted(s *session) {
	s.ago(52 * minute)
	s.compact("quiet-copper-otter", "1. Request: find out why TestTail fails in 1 of 40 runs on CI, and fix it without retries.\n2. Cause: Reader.Next ignored the error of ReadString and parsed half lines.\n3. Fix: Reader.half keeps a half line until its newline arrives (reader.go); the test splits every append (reader_test.go).\n4. Measured: no difference to main (382 against 383 µs, p = 0.48).\n5. Open: changelog entry, one more soak run, commit.")
	s.prompt("Now the changelog entry, as a draft")
	s.answer(text("I'll use the changelog skill."),
		plain("Skill", fields{"skill", "changelog", "args", "half line"}, "Launching skill: changelog", fields{"success", true, "commandName", "changelog"}))
	s.answer(create("changelog/unreleased/half-line.md", "Fix: a log that is still being written no longer gives broken records\n\nA reader that came in the middle of an append took the first half of a line\nfor a record. It now waits for the newline.\n"))
	s.answer(text("Drafted `changelog/unreleased/half-line.md`."))
	s.rename("Fix the flaky parser test on CI")
	s.ago(2*minute + 40*second)
	s.prompt("CI is green, 3 of 3. One last soak with the race detector, then commit.")
	s.answer(think("Run the race soak first. 400 runs take about three minutes with -race. Only if it passes: stage reader.go, reader_test.go and the changelog entry; base.txt and half.txt stay out."),
		text("Soak first, commit after."),
		bash("Soak with -race", "go test -race -run TestTail -count=400 .", "").noResult())
	s.lastPrompt()
	s.registered(4_200_617, "busy", "", Domain)
	s.save()
}

// docsFork is a copy of the conversation that went another way.
func (h *home) docsFork(from *session) {
	s := from.fork("docs-fork", 58*minute)
	s.prompt("Different topic: bring docs/format.md up to date with what we found out")
	s.answer(read("docs/format.md"))
	s.answer(
		think("The section says a reader gets every record once. It does not say what happens with a half line, which is the very thing that went wrong."),
		edit("docs/format.md", "once, in order.\n", "once, in order. A line without its newline is not a record yet: the reader keeps\nit and reports the end of the file until the newline arrives.\n"),
	)
	s.answer(
		text("One reader for the tone, before you look at it."),
		task("reviewer", "Review the docs change", "Read docs/format.md as a new user. Is the half-line rule clear?", func(a *session) {
			a.model = sonnet
			a.answer(read("docs/format.md"))
			a.answer(text("Clear. One remark: say \"reports io.EOF\" rather than \"the end of the file\"; that is what callers will look for."))
		}))
	s.answer(edit("docs/format.md", "it and reports the end of the file until", "it and returns `io.EOF` until"))
	s.answer(text("`docs/format.md` now says what a reader does with a half line."))
	s.title("Docs sweep")
	s.exit()
}

// fuzzTriage was started by a timer, not by a person.
func (h *home) fuzzTriage() {
	s := h.session(plot{name: "fuzz", cwd: parserDir, branch: "main", start: 9*hour + 12*minute, model: sonnet, entrypoint: "sdk-cli", mode: "bypassPermissions"})
	s.prompt("Triage last night's fuzz findings in testdata/fuzz. For each: minimise, say which rule it breaks, propose a test name. Answer as a Markdown table.")
	s.answer(bash("List the findings", "ls -la testdata/fuzz/FuzzParse", "total 12\n-rw-r--r-- 1 ada ada  61 7f2c9b1e\n-rw-r--r-- 1 ada ada 214 c01d5a77"),
		bash("Run them", "go test -run 'FuzzParse/(7f2c9b1e|c01d5a77)' .", "--- FAIL: FuzzParse/7f2c9b1e\n    panic: runtime error: slice bounds out of range [1:0]\n--- PASS: FuzzParse/c01d5a77").took(2*second))
	s.answer(task("general-purpose", "Minimise 7f2c9b1e", "Minimise the input 7f2c9b1e of FuzzParse as far as it still panics.", func(a *session) {
		a.answer(bash("Minimise", "go test -run xxx -fuzz FuzzParse -fuzzminimizetime 20s .", "fuzz: minimizing 61-byte input\nfuzz: minimized to 3 bytes: \"=\\\"\\n\"").took(21 * second))
		a.answer(text("Three bytes: `=\"` and a newline. An empty key with a lone quote."))
	}))
	s.answer(text("| input | minimised | rule | test |\n|---|---|---|---|\n| 7f2c9b1e | `=\"` | a lone quote is a value of one character | TestLoneQuote |\n| c01d5a77 | – | passes since f0e97d3 | – |"))
	s.exit()
}

// worktreeStory was killed while a command ran.
func (h *home) worktreeStory() {
	s := h.session(plot{name: "worktree", cwd: parserDir + "/.claude/worktrees/fix-ci", branch: "worktree-fix-ci", start: 37 * minute, model: sonnet})
	s.worktree(parserDir, "main", "8d0c1f2ab94e07c61d52f3e8790bb1c4a65de203")
	s.prompt("Make CI run the tests with -race on Go 1.26 only, and cache the build")
	s.answer(read("ci.yml"))
	s.answer(text("One more step, and a cache keyed by go.sum."),
		edit("ci.yml", "      - run: go test -count=1 ./...\n", "      - run: go test -count=1 ./...\n      - run: go test -race -count=1 ./...\n        if: matrix.go == '1.26'\n"),
		edit("ci.yml", "          go-version: ${{ matrix.go }}\n", "          go-version: ${{ matrix.go }}\n          cache-dependency-path: go.sum\n"))
	s.answer(bashFails("Lint the workflow", "actionlint .github/workflows/ci.yml", 127, "bash: actionlint: command not found"))
	s.answer(text("No actionlint here. I'll run the workflow locally."),
		bash("Run the workflow in a container", "act -j test --matrix go:1.26", "").noResult())
	s.registered(4_200_211, "busy", "", "linux:0ff1ce0ff1ce0ff1ce0ff1ce0ff1ce00:pid:[4026531836]")
	s.h.put("shell-snapshots/snapshot-bash-"+s.ids.hex(6)+".sh", []byte("# Left behind by a client that was killed.\n"), s.clock)
	s.save()
}
