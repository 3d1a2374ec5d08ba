# Sourced by checks that use engines from PyPI.

# engines NAME PACKAGE…: a virtual environment with these packages, made once for each such list; its folder is in
# $engines. False with one line where PyPI is not reached, except in CI: the network is needed the first time.
engines() {
  local name=$1 all=${MAYFLY_ENGINES:-$PWD/target/engines} wanted log
  shift
  wanted="$(python3 --version) $*"
  engines=$all/$name
  log=$engines.log
  [ "$(cat "$engines/ready" 2>/dev/null)" != "$wanted" ] || return 0
  mkdir -p "$all"
  rm -rf "$engines"
  python3 -m venv "$engines"
  if ! "$engines/bin/pip" install -q --disable-pip-version-check "$@" >"$log" 2>&1; then
    grep -qiE 'connection|resolution|timed out|unreachable' "$log" || { cat "$log"; fail "pip could not install $*"; }
    [ "${CI:-}" != true ] || fail "pip could not install $*, which CI wants: $(tail -n 1 "$log")"
    echo "SKIPPED: $name: PyPI is not reached: $(tail -n 1 "$log")"
    return 1
  fi
  echo "$wanted" >"$engines/ready"
}
