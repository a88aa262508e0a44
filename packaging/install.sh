#!/bin/sh
# Installs sesskeep for one user: fetches the archive of this system, compares its checksum,
# and puts the program, its man pages and completions below a directory.
#
#   BASE=https://host/owner/sesskeep/releases/download/v0.1.0 VERSION=0.1.0 sh install.sh
#
# BASE     where the archives and checksums.txt are: a URL, or a directory of this machine
# VERSION  the version to install
# PREFIX   where it is installed (~/.local)
set -eu

fail() {
  echo "install: $1" >&2
  exit 1
}

[ -n "${BASE:-}" ] || fail "BASE is missing: where are the archives?"
[ -n "${VERSION:-}" ] || fail "VERSION is missing, for example VERSION=0.1.0"
prefix=${PREFIX:-$HOME/.local}

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no archive for $(uname -s); on Windows take the .zip" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no archive for $(uname -m)" ;;
esac

# fetch gets one file.
fetch() {
  case $BASE in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl -fsSL -o "$2" "$BASE/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$2" "$BASE/$1"
      else
        fail "neither curl nor wget is here"
      fi
      ;;
    *) cp "$BASE/$1" "$2" ;;
  esac || fail "$1 could not be fetched from $BASE"
}

# sum prints the checksum of a file.
sum() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d ' ' -f 1
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
name=sesskeep_${VERSION}_${system}_${arch}
fetch checksums.txt "$dir/checksums.txt"
fetch "$name.tar.gz" "$dir/$name.tar.gz"
want=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' "$dir/checksums.txt")
[ -n "$want" ] || fail "checksums.txt does not list $name.tar.gz"
[ "$(sum "$dir/$name.tar.gz")" = "$want" ] || fail "the checksum of $name.tar.gz is wrong: nothing was installed"
tar -xzf "$dir/$name.tar.gz" -C "$dir"

mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
  "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
cp "$dir/$name"/man1/* "$prefix/share/man/man1/"
cp "$dir/$name/completions/sesskeep" "$prefix/share/bash-completion/completions/"
cp "$dir/$name/completions/_sesskeep" "$prefix/share/zsh/site-functions/"
cp "$dir/$name/completions/sesskeep.fish" "$prefix/share/fish/vendor_completions.d/"
# The program last, and at once: an older one that runs keeps its file.
cp "$dir/$name/sesskeep" "$prefix/bin/.sesskeep.new"
mv -f "$prefix/bin/.sesskeep.new" "$prefix/bin/sesskeep"

echo "installed $("$prefix/bin/sesskeep" --version) in $prefix/bin"
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not in your PATH" ;;
esac
