package cli

import (
	"strings"
	"testing"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/config"
)

// Every key that is the default of a flag names commands that take the flag, and says
// what its value is without the file.
func TestConfigFlags(t *testing.T) {
	all := commandTree()
	for _, k := range config.Keys {
		if (k.Flag == "") != (k.Commands == nil) {
			t.Errorf("%s: a flag needs commands", k.Name)
		}
		for _, name := range k.Commands {
			path := strings.TrimSuffix("sesskeep "+strings.TrimPrefix(name, "sesskeep"), " ")
			if name == config.Everywhere {
				path = "sesskeep"
			}
			cmd := all[path]
			if cmd == nil {
				t.Errorf("%s: there is no command %q", k.Name, name)
				continue
			}
			f := cmd.Flags().Lookup(k.Flag)
			if f == nil {
				f = cmd.InheritedFlags().Lookup(k.Flag)
			}
			if f == nil {
				f = cmd.PersistentFlags().Lookup(k.Flag)
			}
			if f == nil {
				t.Errorf("%s: %s has no flag --%s", k.Name, name, k.Flag)
				continue
			}
			usual := strings.Trim(k.Default, `"`)
			if def := strings.Trim(f.DefValue, "[]"); usual != def && !(usual == "" && def == "0") {
				t.Errorf("%s: the default is %s, and that of --%s %s", k.Name, usual, k.Flag, def)
			}
			values, problems := config.Parse([]byte(k.Name + " = " + k.Example))
			if len(problems) > 0 || shell.SetFlag(f, values[0].Texts) != nil {
				t.Errorf("%s: --%s does not take %s", k.Name, k.Flag, k.Example)
			}
		}
	}
}
