#!/usr/bin/env bash
# Tries what "make release" makes for this system as users would.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:?}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
target=linux/$(go env GOARCH)

fail() {
  echo "release-check: $1"
  exit 1
}

# Twice, from two copies of the sources.
for copy in one two; do
  mkdir -p "$dir/$copy/src"
  git ls-files -z | tar --null -T - -c | tar -x -C "$dir/$copy/src"
  make -s -C "$dir/$copy/src" release TARGETS="$target" DIST="$dir/$copy/dist" DATE=2026-01-02 VERSION="$version"
done
diff "$dir/one/dist/checksums.txt" "$dir/two/dist/checksums.txt" || fail "two builds of the same sources differ"
dist=$dir/one/dist

size=$(stat -c %s "$dist"/linux_*/sesskeep)
[ "$size" -le $((45 << 20)) ] || fail "the program has $size bytes, more than 45 MB"

# Installed, run, and refused when it was damaged.
export HOME=$dir/home
mkdir -p "$HOME"
BASE=$dist VERSION=$version sh packaging/install.sh | grep -q "installed sesskeep v$version" || fail "install.sh does not install v$version"
"$HOME/.local/bin/sesskeep" --demo ls >"$dir/ls" || fail "what was installed does not run"
grep -q parser "$dir/ls" || fail "what was installed lists nothing"
[ -s "$HOME/.local/share/man/man1/sesskeep-ls.1" ] || fail "the man pages are not installed"
printf x >>"$dist"/sesskeep_"${version}"_linux_*.tar.gz
rm "$HOME/.local/bin/sesskeep"
if BASE=$dist VERSION=$version sh packaging/install.sh 2>"$dir/said"; then fail "install.sh takes a damaged archive"; fi
grep -q 'checksum' "$dir/said" || fail "install.sh does not say that the checksum is wrong"
[ ! -e "$HOME/.local/bin/sesskeep" ] || fail "install.sh installed a damaged archive"

if [ -n "${PACKAGES:-}" ]; then
  make -s -C "$dir/two/src" packages TARGETS="$target" DIST="$dir/two/dist" DATE=2026-01-02 VERSION="$version"
  root=$dir/root
  mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/log"
  touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
  dpkg --root="$root" --force-script-chrootless -i "$dir/two/dist/packages/"*.deb >/dev/null
  "$root/usr/bin/sesskeep" --version | grep -q "v$version" || fail "the .deb does not install v$version"
  [ -s "$root/usr/share/man/man1/sesskeep.1.gz" ] || fail "the .deb has no man page"
  dpkg --root="$root" --force-script-chrootless -r sesskeep >/dev/null
  left=$(find "$root/usr" "$root/etc" -type f 2>/dev/null || true)
  [ -z "$left" ] || fail "the .deb leaves files: $left"
fi
echo "release-check: fine"
