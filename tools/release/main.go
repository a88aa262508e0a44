// Command release makes what a version is handed out as: an archive for each system with the
// program, its man pages and completions, the licenses of what is linked in, a list of it
// (SBOM), and the checksums of all.
//
//	release -version 0.1.0 -date 2026-11-20 -top .. -dir ../dist [-targets "linux/amd64 ..."]
//
// The same sources, Go and version give the same bytes in every directory: nothing that is
// written has a time or a path of this machine.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// all are the systems that a version is made for.
const all = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

// noticesName is the file with the licenses of what is linked in.
const noticesName = "THIRD-PARTY-NOTICES.txt"

// release is a version that is being made.
type release struct {
	top, dir string // of the sources, and of what is made
	version  string
	date     time.Time // of everything in it
}

// target is a system that a program is made for.
type target struct{ os, arch string }

func main() {
	version := flag.String("version", "", "the version")
	date := flag.String("date", "", "its day, as 2006-01-02")
	top := flag.String("top", "..", "the sources")
	dir := flag.String("dir", "../dist", "where it is written")
	targets := flag.String("targets", all, "the systems it is made for")
	flag.Parse()
	day, err := time.Parse(time.DateOnly, *date)
	if err == nil {
		r := release{*top, *dir, *version, day}
		err = r.make(strings.Fields(*targets))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) make(targets []string) error {
	if r.version == "" {
		return fmt.Errorf("-version is missing")
	}
	var err error
	if r.top, err = filepath.Abs(r.top); err != nil {
		return err
	}
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	chosen, err := systems(targets)
	if err != nil {
		return err
	}
	if err := r.run("go", "run", "./internal/manual", "-version", r.version, "-date", r.date.Format(time.DateOnly), "-dir", r.path("manual")); err != nil {
		return err
	}
	for _, t := range chosen {
		if err := r.target(t); err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
	}
	return r.sums()
}

// systems are the targets with the given names.
func systems(names []string) (targets []target, err error) {
	for _, name := range names {
		system, arch, _ := strings.Cut(name, "/")
		if !slices.Contains(strings.Fields(all), name) {
			return nil, fmt.Errorf("%s: targets are %s", name, all)
		}
		targets = append(targets, target{system, arch})
	}
	return targets, nil
}

// target makes the archive of a system.
func (r *release) target(t target) error {
	name := "sesskeep"
	if t.os == "windows" {
		name += ".exe"
	}
	program := r.path(t.os+"_"+t.arch, name)
	if err := r.build(t, program); err != nil {
		return err
	}
	modules, err := linked(program)
	if err != nil {
		return err
	}
	notices, err := r.notices(modules)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(program), noticesName), notices, 0o644); err != nil {
		return err // packages have it, too
	}
	base := fmt.Sprintf("sesskeep_%s_%s_%s", r.version, t.os, t.arch)
	if err := r.sbom(base, modules); err != nil {
		return err
	}
	files, err := r.contents(program, notices)
	if err != nil {
		return err
	}
	if t.os == "windows" {
		return writeZip(r.path(base+".zip"), base, files, r.date)
	}
	return writeTar(r.path(base+".tar.gz"), base, files, r.date)
}

// build makes the program: static, without symbols, without a path of this machine.
func (r *release) build(t target, to string) error {
	module, err := r.output("go", "list", "-m")
	if err != nil {
		return err
	}
	flags := "-s -w -buildid= -X " + strings.TrimSpace(module) + "/internal/cli/shell.release=v" + r.version
	cmd := r.command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", to, "./cmd/sesskeep")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+t.os, "GOARCH="+t.arch)
	return cmd.Run()
}

// sums writes the checksums of what is handed out.
func (r *release) sums() error {
	names, err := filepath.Glob(r.path("sesskeep_" + r.version + "_*"))
	if err != nil {
		return err
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&out, "%s  %s\n", hex.EncodeToString(sum[:]), filepath.Base(name))
	}
	return os.WriteFile(r.path("checksums.txt"), []byte(out.String()), 0o644)
}

func (r *release) path(names ...string) string {
	return filepath.Join(append([]string{r.dir}, names...)...)
}

// command runs a program in the sources.
func (r *release) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.top, os.Stdout, os.Stderr
	return cmd
}

func (r *release) run(name string, args ...string) error { return r.command(name, args...).Run() }

func (r *release) output(name string, args ...string) (string, error) {
	cmd := r.command(name, args...)
	cmd.Stdout = nil
	out, err := cmd.Output()
	return string(out), err
}
