package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What two builds say alike is not printed; what differs, and what only one of
// them lists, is.
func TestCompare(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the builds of this test are shell scripts")
	}
	build := func(name, rows string) string {
		path := filepath.Join(t.TempDir(), name)
		script := "#!/bin/sh\ncat <<'END'\n{\"sessions\":[" + rows + "]}\nEND\n"
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const same = `{"id":"a","dirName":"-w","title":"A","promptCount":1,"usage":{"input":1,"output":2}}`
	before := build("old", same+`,{"id":"b","dirName":"-w","title":"B","promptCount":1},{"id":"c","dirName":"-w"}`)
	after := build("new", strings.Replace(same, `"input":1,"output":2`, `"output":2,"input":1`, 1)+`,{"id":"b","dirName":"-w","title":"B","promptCount":2}`)
	var out strings.Builder
	n, err := compare(&out, before, after, "")
	const want = "-w//b\n  promptCount: 1 -> 2\n-w//c\n  only the old build lists it\n2 of 3 sessions differ\n"
	if err != nil || n != 2 || out.String() != want {
		t.Errorf("got %d, %v\n%s", n, err, &out)
	}
	if n, err := compare(&out, before, before, ""); n != 0 || err != nil {
		t.Errorf("a build differs from itself: %d, %v", n, err)
	}
	if _, err := compare(&out, before, "", ""); err == nil {
		t.Error("one build is enough")
	}
	if _, err := compare(&out, before, before+"-gone", ""); err == nil {
		t.Error("a build that is not there is no error")
	}
}
