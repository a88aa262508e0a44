package shell

import (
	"runtime"
	"runtime/debug"
)

// VersionInfo is what the build says about itself.
type VersionInfo struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// String is what --version prints.
func (v VersionInfo) String() string { return "sesskeep " + v.Version + " (" + v.Go + ")" }

// release is the version of a build that is handed out; "make release" sets it.
var release string

// Version is what the build says about itself.
func Version() VersionInfo {
	v := VersionInfo{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if release != "" {
		v.Version = release
	} else if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	return v
}
