package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
)

// fake is the fake client of this process.
var fake struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// FakeClaude builds a program that speaks as the client does, once a process, and
// gives its path. Its documentation says what can be asked of it. Call
// RemoveFakeClaude at the end of TestMain.
func FakeClaude(t testing.TB) string {
	t.Helper()
	fake.once.Do(buildFake)
	if fake.err != nil {
		t.Fatalf("build the fake client: %v", fake.err)
	}
	return fake.path
}

func buildFake() {
	if fake.dir, fake.err = os.MkdirTemp("", "fakeclaude"); fake.err != nil {
		return
	}
	fake.path = filepath.Join(fake.dir, "claude")
	if runtime.GOOS == "windows" {
		fake.path += ".exe"
	}
	// The directory of a test lies in the module, so a path of an import is enough,
	// and it is known in builds with -trimpath, too.
	here := reflect.TypeFor[Corpus]().PkgPath()
	cmd := exec.Command("go", "build", "-o", fake.path, here+"/fakeclaude")
	cmd.Stderr = os.Stderr
	fake.err = cmd.Run()
}

// RemoveFakeClaude removes what FakeClaude built, if it did.
func RemoveFakeClaude() {
	if fake.dir != "" {
		_ = os.RemoveAll(fake.dir)
	}
}
