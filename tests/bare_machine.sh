#!/usr/bin/env bash
# Run `make run` and `make test` on a bare Debian: a chroot that has only git, make and python3.
#
#     sudo tests/bare_machine.sh      (from a clone; tests the last commit, not the working tree)
#
# Exits with the code of `make test`; 1 if `make run` does not serve; 77 if this machine cannot make a chroot.
# KEEP=1 keeps the chroot and prints its path. PORT (8157) is the port that `make run` serves on.
set -uo pipefail
port=${PORT:-8157} server=

cannot() { echo "bare machine: not tested: $*"; exit 77; }
[ "$(id -u)" = 0 ] || cannot "only root can make a chroot"
command -v debootstrap >/dev/null || apt-get -qq install -y debootstrap >/dev/null 2>&1 ||
  { apt-get -qq update && apt-get -qq install -y debootstrap; } >/dev/null 2>&1 || cannot "debootstrap is not installed"

clone=$(git rev-parse --show-toplevel) || cannot "this is no git checkout"
work=$(mktemp -d) root=$work/root
clean_up() {
  [ -z "$server" ] || { kill -- -"$server" 2>/dev/null; wait "$server" 2>/dev/null; }
  umount "$root/dev/shm" "$root/dev" "$root/proc" 2>/dev/null
  # never delete below a mount point that is still there
  if [ -n "${KEEP:-}" ] || grep -q " $root/" /proc/mounts; then echo "kept: $root"; else rm -rf --one-file-system "$work"; fi
}
trap clean_up EXIT

# The chroot uses the package sources, certificates and pip settings of this machine.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | awk '/^URIs:/ {print $2; exit} /^deb / {print $(/\[/ ? 3 : 2); exit}')
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  cannot "debootstrap failed: $(tail -1 "$work/debootstrap.log")"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -r /etc/ssl/certs/. "$root/etc/ssl/certs/"
for file in /etc/pip.conf /etc/resolv.conf /etc/hosts; do [ ! -e "$file" ] || cp "$file" "$root/etc/"; done
mount --bind /proc "$root/proc" && mount --bind /dev "$root/dev" || cannot "mounting into the chroot failed"
[ ! -d /dev/shm ] || mount --bind /dev/shm "$root/dev/shm"

inside=(chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt bash -c)
"${inside[@]}" 'apt-get -qq update && apt-get -qq install -y --no-install-recommends git make python3' >"$work/apt.log" 2>&1 ||
  cannot "git, make and python3 cannot be installed: $(tail -1 "$work/apt.log")"
git clone -q "$clone" "$root/srv/openseer" || cannot "git clone failed"

started=$SECONDS
setsid "${inside[@]}" "cd /srv/openseer && exec make run PORT=$port" >"$work/run.log" 2>&1 &
server=$!
until python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$port/', timeout=5)" 2>/dev/null; do
  if ! kill -0 "$server" 2>/dev/null || ((SECONDS - started > 900)); then
    tail -5 "$work/run.log"; echo "bare machine: make run does not serve"; exit 1
  fi
  sleep 2
done
served=$((SECONDS - started))
kill -- -"$server" 2>/dev/null; wait "$server" 2>/dev/null; server=

started=$SECONDS
"${inside[@]}" 'cd /srv/openseer && timeout 2400 make test' >"$work/test.log" 2>&1; code=$?
grep -E '^(FAILED|ERROR|SKIPPED)' "$work/test.log"
((code == 0)) || tail -5 "$work/test.log"
echo "bare machine: served after $served s; make test exited with $code after $((SECONDS - started)) s: $(grep -E '[0-9]+ passed' "$work/test.log" | tail -1)"
exit "$code"
