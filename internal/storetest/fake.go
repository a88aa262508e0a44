package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// fakeClaude is built once a process.
var fakeClaude = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "fakeclaude")
	if err != nil {
		return "", err
	}
	_, here, _, _ := runtime.Caller(0)
	name := filepath.Join(dir, "claude")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", name, "./fakeclaude")
	cmd.Dir = filepath.Dir(here)
	cmd.Stderr = os.Stderr
	return name, cmd.Run()
})

// FakeClaude builds a program that speaks as the client does, and gives its path.
// Its documentation says what can be asked of it. Call RemoveFakeClaude at the end
// of TestMain.
func FakeClaude(t testing.TB) string {
	t.Helper()
	path, err := fakeClaude()
	if err != nil {
		t.Fatalf("build the fake client: %v", err)
	}
	return path
}

// RemoveFakeClaude removes what FakeClaude built, if it did.
func RemoveFakeClaude() {
	if path, err := fakeClaude(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
}
