#!/bin/sh
# Draws every page of the terminal interface on the sample home, at two sizes:
#
#	internal/capture/screens.sh bin/sesskeep docs/img/tui
#
# It needs tmux. Each page is a name and the keys that lead to it.
set -eu
program=$(realpath "$1")
out=$2
work=$(mktemp -d)
server="sesskeep-screens-$$"
trap 'tmux -L "$server" kill-server 2>/dev/null || true; rm -rf "$work" || { sleep 1; rm -rf "$work"; }' EXIT
mkdir -p "$out"
go build -o "$work/capture" ./internal/capture

tmux -L "$server" -f /dev/null new-session -d -s rest "sleep 600"

# wait_still waits until the screen has not changed for a moment.
wait_still() {
	last=
	for _ in $(seq 60); do
		sleep 0.3
		now=$(tmux -L "$server" capture-pane -t page -p)
		[ -n "$now" ] && [ "$now" = "$last" ] && return
		last=$now
	done
}

shoot() { # name keys...
	name=$1
	shift
	for size in 80x24 200x60; do
		tmux -L "$server" new-session -d -s page -x "${size%x*}" -y "${size#*x}" \
			"env HOME=$work XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state TZ=UTC TERM=tmux-256color $program --demo"
		wait_still
		for key in "$@"; do
			tmux -L "$server" send-keys -t page "$key"
			wait_still
		done
		tmux -L "$server" capture-pane -t page -e -p |
			"$work/capture" -rows 60 -title "sesskeep: $name, $size" >"$out/$name-$size.svg"
		tmux -L "$server" kill-session -t page
	done
}

shoot projects 1
shoot sessions
shoot conversation Enter
shoot outline Enter Tab
shoot tree b
shoot live 5
shoot search 7 "half line"
shoot usage 8
shoot help '?'
shoot palette ':'
shoot copies C
shoot trash j j j d d 9
shoot activity U
