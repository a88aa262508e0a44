package shell

import "strings"

// OtherWords lists what other programs call what our commands do, by what is typed behind
// "sesskeep".
var OtherWords = map[string][]string{
	"rm": trashing, "delete": trashing, "remove": trashing,
	"open": {"show", "resume"}, "cat": {"show", "export"}, "view": {"show"}, "less": {"show"}, "print": {"show", "export"}, "info": {"show", "session usage"},
	"limits": {"usage --windows"}, "limit": {"usage --windows"}, "quota": {"usage --windows"},
	"tail": {"watch", "show --follow"}, "follow": {"watch", "show --follow"}, "logs": {"log", "run attach"},
	"kill": {"run stop"}, "top": {"ps"}, "status": {"ps", "doctor"}, "tasks": {"todo ls"}, "task": {"todo ls"},
	"cp": {"keep export", "session fork"}, "copy": {"keep export", "session fork"}, "sessions": {"ls"}, "branches": {"session conversations"}, "branch": {"session fork"},
	"login": {"ui", "token create"}, "allow": {"inbox allow"}, "approve": {"inbox allow"}, "answer": {"inbox allow"}, "deny": {"inbox deny"},

	"session rm": sessionTrashing, "session delete": sessionTrashing, "session remove": sessionTrashing,
	"session open": {"show", "resume"}, "session cat": {"show", "export"}, "session view": {"show"}, "session resume": {"resume"},
	"session export": {"export"}, "session cp": {"session fork"}, "session copy": {"session fork"}, "session restore": {"trash restore"},

	"run delete": {"run rm"}, "run remove": {"run rm"}, "run kill": {"run stop"}, "run cancel": {"run interrupt", "run stop"}, "run ps": {"run ls"},
	"run tail": {"run attach"}, "run logs": {"run attach"}, "run log": {"run attach"}, "run watch": {"run attach"}, "run open": {"run show", "run attach"},
	"run resume": {"run start --resume"}, "run new": {"run start"}, "run create": {"run start"},

	"trash rm": {"trash purge"}, "trash delete": {"trash purge"}, "trash empty": {"trash purge --all"}, "trash clear": {"trash purge --all"},
	"trash undo": {"trash restore"}, "trash put": {"session trash"}, "trash add": {"session trash"},

	"project rm": {"project purge"}, "project delete": {"project purge"}, "project remove": {"project purge"}, "project rename": {"project mv"},
	"project sessions": {"ls -p"}, "project open": {"project show"},

	"keep ls": {"keep status", "keep gone"}, "keep list": {"keep status", "keep gone"}, "keep start": {"keep on"}, "keep stop": {"keep off"}, "keep check": {"keep verify"},
	"inbox approve": {"inbox allow"}, "inbox answer": {"inbox allow"}, "inbox yes": {"inbox allow"}, "inbox reject": {"inbox deny"}, "inbox no": {"inbox deny"},
	"token new": {"token create"}, "token add": {"token create"}, "token rm": {"token revoke"}, "token delete": {"token revoke"},
	"hook ls": {"hook status"}, "hook rm": {"hook uninstall"}, "hook remove": {"hook uninstall"}, "share rm": {"share revoke"}, "share delete": {"share revoke"},
	"backup check": {"backup verify"}, "config set": {"config edit"}, "config get": {"config show"}, "config ls": {"config show"}, "config list": {"config show"},
	"usage limits": {"usage --windows"}, "usage quota": {"usage --windows"}, "serve status": {"doctor"}, "serve kill": {"serve stop"},
	"todo show": {"todo ls"}, "history search": {"search"}, "file blame": {"file log"}, "file history": {"file log"},
}

var (
	trashing        = []string{"session trash", "trash purge"}
	sessionTrashing = []string{"session trash", "session purge"}
)

// otherWord returns the commands that somebody means who types word behind a command.
func otherWord(path, word string) (meant []string) {
	typed := strings.TrimSpace(strings.TrimPrefix(path, "sesskeep") + " " + word)
	for _, command := range OtherWords[typed] {
		meant = append(meant, "sesskeep "+command)
	}
	return meant
}

// MeantHint is the hint for a word that a command does not know, where it has one: the commands
// that do what the word means in other programs.
func MeantHint(path, word string) (hint string, ok bool) {
	meant := otherWord(path, word)
	return `did you mean "` + strings.Join(meant, `" or "`) + `"?`, len(meant) > 0
}
