package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// linked are the modules that a program has inside, without its own.
func linked(program string) ([]*debug.Module, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	for i, m := range info.Deps {
		if m.Replace != nil {
			info.Deps[i] = m.Replace
		}
	}
	return info.Deps, nil
}

// isLicense are the names of the files in which modules say how they may be used.
var isLicense = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// notices are the licenses of Go and of the modules. A module without one is an error: it could
// not be handed out.
func (r *release) notices(modules []*debug.Module) ([]byte, error) {
	goroot, err := r.output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("sesskeep contains the following software, under these licenses.\n")
	if err := licensesIn(&out, "Go and its standard library", strings.TrimSpace(goroot)); err != nil {
		return nil, err
	}
	for _, m := range modules {
		dir, err := r.output("go", "list", "-m", "-f", "{{.Dir}}", m.Path)
		if err != nil {
			return nil, err
		}
		if err := licensesIn(&out, m.Path+" "+m.Version, strings.TrimSpace(dir)); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// licensesIn appends the licenses in a directory.
func licensesIn(out *bytes.Buffer, of, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !isLicense.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), of, e.Name(), bytes.TrimSpace(text))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no license", of)
	}
	return nil
}

// The parts of an SBOM in the format of SPDX 2.3 that we fill in.
type (
	spdx struct {
		Version       string         `json:"spdxVersion"`
		License       string         `json:"dataLicense"`
		ID            string         `json:"SPDXID"`
		Name          string         `json:"name"`
		Namespace     string         `json:"documentNamespace"`
		Creation      spdxCreation   `json:"creationInfo"`
		Packages      []spdxPackage  `json:"packages"`
		Relationships []spdxRelation `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		Name      string         `json:"name"`
		ID        string         `json:"SPDXID"`
		Version   string         `json:"versionInfo"`
		Location  string         `json:"downloadLocation"`
		Analyzed  bool           `json:"filesAnalyzed"`
		Declared  string         `json:"licenseDeclared"`
		Concluded string         `json:"licenseConcluded"`
		Copyright string         `json:"copyrightText"`
		Checksums []spdxChecksum `json:"checksums,omitempty"`
		Refs      []spdxRef      `json:"externalRefs,omitempty"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxRef struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxRelation struct {
		Element string `json:"spdxElementId"`
		Type    string `json:"relationshipType"`
		Related string `json:"relatedSpdxElement"`
	}
)

const unknown = "NOASSERTION"

// sbom writes the list of what is linked into a program.
func (r *release) sbom(base string, modules []*debug.Module) error {
	own := spdxPackage{
		Name: "sesskeep", ID: "SPDXRef-sesskeep", Version: r.version, Location: unknown,
		Declared: "MIT", Concluded: "MIT", Copyright: unknown,
	}
	doc := spdx{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: base,
		Creation: spdxCreation{Created: r.date.Format("2006-01-02T15:04:05Z"), Creators: []string{"Tool: sesskeep-release"}},
		Packages: []spdxPackage{own}, Relationships: []spdxRelation{{"SPDXRef-DOCUMENT", "DESCRIBES", own.ID}},
	}
	for i, m := range modules {
		id := fmt.Sprintf("SPDXRef-module-%d", i+1)
		p := spdxPackage{
			Name: m.Path, ID: id, Version: m.Version, Location: unknown, Declared: unknown, Concluded: unknown, Copyright: unknown,
			Refs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.Path + "@" + m.Version}},
		}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == sha256.Size {
			p.Checksums = []spdxChecksum{{"SHA256", hex.EncodeToString(sum)}}
		}
		doc.Packages = append(doc.Packages, p)
		doc.Relationships = append(doc.Relationships, spdxRelation{own.ID, "DEPENDS_ON", id})
	}
	hash := sha256.New()
	for _, m := range modules {
		fmt.Fprintln(hash, m.Path, m.Version, m.Sum)
	}
	doc.Namespace = fmt.Sprintf("https://sesskeep.invalid/spdx/%s-%s", base, hex.EncodeToString(hash.Sum(nil))[:16])
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(r.path(base+".spdx.json"), append(out, '\n'), 0o644)
}
