package demo

import (
	"fmt"
	"strings"
)

const parserDir = "/home/ada/src/parser"

// parserStories are about a test that fails now and then, and what came of it.
func (h *home) parserStories() {
	s := h.session(plot{name: "flaky", cwd: parserDir, branch: "main", start: 3*hour + 10*minute, hourCache: true, mode: "acceptEdits", weight: 12})
	flakyCause(s)
	cause := s.here()
	flakyRetry(s)
	s.rewind(cause)
	flakyFix(s)
	fixed := s.here()
	flakyBenchmark(s)
	s.rewind(fixed)
	flakyCompare(s)
	h.docsFork(s)
	flakyCompacted(s)
	h.fuzzTriage()
}

const ciLog = `--- FAIL: TestTail (0.31s)
    reader_test.go:29: record 617 has 2 fields, want 4
FAIL
FAIL	example.org/ada/parser	0.944s
=== run 31 of 40 on ubuntu-latest, go 1.26
--- FAIL: TestTail (0.28s)
    reader_test.go:26: record 204: record has no fields
FAIL
FAIL	example.org/ada/parser	0.871s
Error: Process completed with exit code 1.`

// flakyCause finds out why the test fails.
func flakyCause(s *session) {
	s.paste(ciLog, "The parser test fails about 1 in 40 runs on CI. Find out why.")
	s.answer(
		think("Two different symptoms: a record with two fields instead of four, and one with none. Both are what a record looks like when only its first part was read. I should see the reader, the test, and whether it fails here too."),
		text("Both failures look like a record that was read before it was complete. I'll reproduce it and read the reader at the same time."),
		bashFails("Run the test 200 times", "go test -run TestTail -count=200 ./...", 1,
			"\x1b[31m--- FAIL: TestTail (0.29s)\x1b[0m\n    reader_test.go:29: record 391 has 3 fields, want 4\n\x1b[31mFAIL\x1b[0m\nFAIL\texample.org/ada/parser\t41.107s").took(42*second),
		read("reader.go"),
		read("reader_test.go"),
		bash("See what changed last", "git log --oneline -6 -- reader.go", "8d0c1f2 reader: bigger buffer\n51be0aa reader: count lines\nf0e97d3 parse: trim quotes\n2b8a6c4 reader: first version"),
	)
	s.answer(withheld(640),
		text("It fails here too, in 1 of about 120 runs. `Next` throws the error of `ReadString` away: at the end of the file it returns what is there, half a line included."),
		todo("> Show where the half line comes from", "Fix the reader", "Add a test that fails every time", "Soak test"))
	s.answer(
		text("Before I touch it: are there other places that read lines this way, and does CI do something special?"),
		task("Explore", "Find every ReadString", "Find every place that reads lines with ReadString or a Scanner and say whether it ignores the error. Do not change anything.", func(a *session) {
			a.answer(text("Looking for line readers."),
				bash("Search for line readers", "grep -rn 'ReadString\\|NewScanner' --include=*.go .", "./reader.go:34:\tline, _ := r.r.ReadString('\\n')\n./cmd/logcat/main.go:22:\tsc := bufio.NewScanner(os.Stdin)\n./internal/replay/replay.go:41:\tline, err := br.ReadString('\\n')"),
				read("reader.go"))
			a.answer(bash("See the two others", "sed -n 15,50p cmd/logcat/main.go internal/replay/replay.go", "\tsc := bufio.NewScanner(os.Stdin)\n\tfor sc.Scan() {\n\t\tprint(sc.Text())\n\t}\n\tif err := sc.Err(); err != nil {\n\t\tlog.Fatal(err)\n\t}\n--\n\tline, err := br.ReadString('\\n')\n\tif err != nil {\n\t\treturn err\n\t}"))
			a.answer(text("Three places read lines.\n- reader.go:34 ignores the error: **this is the bug**.\n- cmd/logcat/main.go:22 checks Err, and reads a pipe, which ends for good.\n- internal/replay/replay.go:41 returns the error, so a half line is never parsed."))
		}),
		task("general-purpose", "Reproduce under load", "Reproduce the failure of TestTail with a slow writer. Report the smallest change to the test that makes it fail every time.", loadAgent),
	)
	s.answer(
		think("The agents agree. ReadString returns the data before the delimiter together with io.EOF. The writer's append is two writes of 512 bytes when the buffer is full, so the reader can come in between. The failure is a race: the reader sees a half line because the append is split. With the error ignored, the half line is parsed as a record, and the rest of it becomes the next record.\n\nThe right thing is to keep the half line and to return io.EOF until its newline has arrived."),
		text("**Cause.** The failure is a race: the writer's append is split in two, and the reader sees a half line. `ReadString` says so (it returns `io.EOF` with the data), but `Next` ignores the error and parses what it got.\n\nThat explains both symptoms: the first half gives a record with too few fields, the second half one with none.\n\nTwo ways out: retry the read, or keep the half line until its newline arrives. Which one?"),
	)
}

// loadAgent has an agent of its own.
func loadAgent(a *session) {
	a.answer(text("I need to know how the CI runner differs from a laptop first."),
		task("Explore", "Read the CI set-up", "What does CI run, on which machines, with which flags?", func(b *session) {
			b.answer(read("ci.yml"))
			b.answer(text("ubuntu-latest, Go 1.25 and 1.26, `go test -count=1 ./...` without -race. Two cores, so writer and reader really run side by side."))
		}))
	a.answer(bashFails("Run with one core and with two", "for n in 1 2; do GOMAXPROCS=$n go test -run TestTail -count=100 . | tail -1; done; false", 1,
		"GOMAXPROCS=1: ok  \t(0 of 100 failed)\nGOMAXPROCS=2: FAIL\t(3 of 100 failed)"))
	a.answer(text("It never fails with one core and in about 3 % of runs with two. Make the writer flush after every 10 bytes and it fails every time."))
}

// flakyRetry is the way not taken.
func flakyRetry(s *session) {
	s.pass(4 * minute)
	s.prompt("Just add a retry around the read, quick fix is fine.")
	s.answer(text("A short retry, then."),
		edit("reader.go", "\tline, _ := r.r.ReadString('\\n')\n\tif line == \"\" {", "\tline, err := r.r.ReadString('\\n')\n\tfor i := 0; err == io.EOF && line != \"\" && i < 3; i++ {\n\t\tvar more string\n\t\tmore, err = r.r.ReadString('\\n')\n\t\tline += more\n\t}\n\tif line == \"\" {"))
	s.answer(bash("Run the test 200 times", "go test -run TestTail -count=200 .", "ok  \texample.org/ada/parser\t40.871s").took(41 * second))
	s.answer(text("With up to three retries all 200 runs pass. A writer that pauses longer than that would still break it."))
	s.pass(2 * minute)
	s.prompt("Run it 500 more times, with the race detector")
	s.answer(bashFails("Soak with -race", "go test -race -run TestTail -count=500 .", 1,
		"--- FAIL: TestTail (0.66s)\n    reader_test.go:29: record 88 has 1 fields, want 4\nFAIL").took(96 * second))
	s.interrupted("It still fails under the race detector, because three quick retries are over before the writer")
}

// flakyFix is the way that was taken.
func flakyFix(s *session) {
	s.pass(1 * minute)
	s.prompt("No retry. Keep the half line until its newline arrives.")
	s.answer(
		think("Keep a strings.Builder or a string in Reader. On io.EOF append what came and return io.EOF. On success prepend what is kept. Line numbers must count only whole lines; they do, because r.line++ comes after."),
		text("Then the reader remembers the half line, and the test gets a writer that splits every append."),
		edit("reader.go", "\tr    *bufio.Reader\n\tline int\n", "\tr    *bufio.Reader\n\thalf string // of a line whose newline has not arrived\n\tline int\n"),
		edit("reader_test.go", "// TestTail reads a log while another goroutine appends to it.", "// TestTail reads a log while another goroutine appends to it, ten bytes at a\n// time, so that most reads end in the middle of a record."),
	)
	s.answer(edit("reader.go", "\tline, _ := r.r.ReadString('\\n')\n\tif line == \"\" {\n\t\treturn Record{}, io.EOF\n\t}\n",
		"\tpart, err := r.r.ReadString('\\n')\n\tline, eof := r.half+part, err == io.EOF\n\tif err != nil {\n\t\tr.half = line\n\t\treturn Record{}, err\n\t}\n\tr.half = \"\"\n"))
	s.answer(bashFails("Vet and test", "go vet ./... && go test ./...", 1, "# example.org/ada/parser\n./reader.go:36:17: declared and not used: eof"))
	s.answer(text("A leftover of mine."),
		edit("reader.go", "\tline, eof := r.half+part, err == io.EOF\n", "\tline := r.half + part\n"))
	s.answer(
		bash("Vet and test", "go vet ./... && go test ./...", "ok  \texample.org/ada/parser\t0.812s\nok  \texample.org/ada/parser/internal/replay\t0.104s"),
		bash("Soak test", "go test -run TestTail -count=200 .", "ok  \texample.org/ada/parser\t39.960s").took(40*second),
		todo("x Show where the half line comes from", "x Fix the reader", "x Add a test that fails every time", "> Soak test"),
	)
	s.answer(withheld(210),
		text("Fixed: `Reader` keeps a half line until its newline arrives, and `Next` returns `io.EOF` in the meantime. The test now splits every append; without the fix it fails in every run, with it 200 of 200 pass."))
}

// flakyBenchmark is a detour.
func flakyBenchmark(s *session) {
	s.pass(6 * minute)
	s.prompt("Write a benchmark that proves it is not slower")
	s.answer(create("reader_bench_test.go", "package parser\n\nimport (\n\t\"io\"\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc BenchmarkNext(b *testing.B) {\n\tlog := strings.Repeat(\"time=09:14:02 level=info msg=ok took=41ms\\n\", 1000)\n\tb.SetBytes(int64(len(log)))\n\tfor b.Loop() {\n\t\tr := NewReader(strings.NewReader(log))\n\t\tfor {\n\t\t\tif _, err := r.Next(); err == io.EOF {\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n\t}\n}\n"))
	s.answer(bash("Run the benchmark", "go test -run xxx -bench Next .", "goos: linux\ngoarch: amd64\nBenchmarkNext-8   \t    3121\t    381204 ns/op\t 110.18 MB/s").took(4 * second))
	s.answer(text("110 MB/s. That alone proves little: there is no number of before to compare it with."))
}

// flakyCompare measures both versions, one of them in the background.
func flakyCompare(s *session) {
	s.pass(2 * minute)
	s.prompt("Compare with main using benchstat instead, and keep the numbers 📈")
	s.answer(
		text("I'll measure this tree here while an agent measures main in a worktree of its own."),
		background("general-purpose", "Benchmark main", "In a worktree of main, run the Next benchmark ten times and report the raw lines.", func(a *session) {
			a.answer(bash("Make a worktree and measure", "git worktree add -q /tmp/base main && cd /tmp/base && go test -run xxx -bench Next -count=10 .", benchLines(10, 382_000)).took(47 * second))
			a.answer(text("Ten runs on main, 379 to 386 µs each:\n\n" + benchLines(10, 382_000)))
		}),
		bash("Measure this tree, with a trace", "go test -run TestTail -count=40 -v -args -trace . && go test -run xxx -bench Next -count=10 .", traceLog()),
	)
	s.queued("and use -cpu 1,4 for both please")
	s.answer(text("Added `-cpu 1,4`. Main is still being measured."))
	s.notified()
	s.answer(bash("Compare", "benchstat base.txt half.txt", "name      old time/op  new time/op  delta\nNext-1    382µs ± 1%   383µs ± 1%   ~     (p=0.481 n=10+10)\nNext-4    381µs ± 1%   381µs ± 2%   ~     (p=0.912 n=10+10)"))
	s.answer(text("No difference: 382 µs before, 383 µs after, p = 0.48. The numbers are in `base.txt` and `half.txt`."))
	s.helper("aprompt_suggestion", 4, "Suggest what the user may want to type next.", "commit this with the benchstat table in the message")
}

// benchLines are the lines of a benchmark.
func benchLines(n, ns int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "BenchmarkNext-8   \t    %d\t    %d ns/op\n", 3100+i*7%23, ns+(i*i*977)%4100-1900)
	}
	return strings.TrimSpace(b.String())
}

// traceLog is an output that is too large to keep in the line.
func traceLog() string {
	var b strings.Builder
	for run := range 40 {
		fmt.Fprintf(&b, "=== RUN   TestTail\n")
		for i := range 60 {
			half := (run*61 + i*37) % 41
			fmt.Fprintf(&b, "    reader_test.go:%d: trace read=%04d bytes half=%02d line=%d\n", 30+i%3, 512-half, half, run*60+i)
		}
		fmt.Fprintf(&b, "--- PASS: TestTail (0.%02ds)\n", 18+run%9)
	}
	b.WriteString("PASS\n" + benchLines(10, 383_000) + "\nok  \texample.org/ada/parser\t58.204s\n")
	return b.String()
}
