package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sesskeep/internal/demo"
)

// changingCalls are the system calls that change a file or a directory. To open one is
// among them only with a flag that allows it.
const changingCalls = "open,openat,openat2,creat,truncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat," +
	"symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,fchownat,lchown,utimensat,ftruncate,setxattr,fsetxattr"

var (
	opens  = regexp.MustCompile(`\bopen(at2?)?\(`)
	writes = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC`)
)

// traced runs a command under strace, and returns the calls that could have changed
// something below the home.
func traced(t *testing.T, program, user, home string, args ...string) []string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command("strace", append([]string{"-f", "-y", "-qq", "-s", "4096", "-e", "trace=" + changingCalls, "-o", log, program}, args...)...)
	cmd.Env = []string{"HOME=" + user, "CLAUDE_CONFIG_DIR=" + home, "NOW=2026-11-15T12:00:00Z", "TZ=UTC", "PATH=" + os.Getenv("PATH")}
	cmd.Dir = user
	out, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(log)
	if readErr != nil {
		t.Skipf("strace cannot be used here: %v: %s", err, out)
	}
	if exit := cmd.ProcessState.ExitCode(); exit != 0 && exit != 7 {
		t.Fatalf("%v: exit code %d: %s", args, exit, out)
	}
	var calls []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " resumed>") {
			continue // what it was given stands where it began
		}
		if strings.Contains(line, home) && (!opens.MatchString(line) || writes.MatchString(line)) {
			calls = append(calls, strings.TrimSpace(line))
		}
	}
	return calls
}

// TestReadingWritesNothing watches what commands that read ask of the system: not a
// single call that could change something below Claude's home.
func TestReadingWritesNothing(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("there is no strace here")
	}
	user, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(user, "sesskeep") // which the test binary takes for the command to run
	home := filepath.Join(user, "claude")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	if err := demo.Write(home, testNow); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"ls --all --source all", "ls --all --columns tags,note", "show @last", "search the", "session tree @last", "project ls", "usage",
		"history", "storage", "doctor", "clean", "trash ls", "log", "undo --list", "clean --older-than 1d --unneeded --dry-run",
		"session trash @last --force --dry-run", "session tag add x @last --dry-run",
	} {
		if calls := traced(t, program, user, home, strings.Fields(command)...); len(calls) > 0 {
			t.Errorf("%s:\n%s", command, strings.Join(calls, "\n"))
		}
	}
	// What is looked for can be seen: this one writes.
	if calls := traced(t, program, user, home, "session", "trash", "@last", "--force"); len(calls) == 0 {
		t.Error("moving a session to the trash changes nothing, it seems")
	}
}
