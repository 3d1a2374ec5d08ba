# Sourced by scripts that wait for a state: each wait ends when the state is there, and the limit is for a machine that
# is busy otherwise. Messages begin with the script's name.

script=$(basename "$0")

say() { printf '\n%s: %s\n' "$script" "$*"; }
fail() { echo "$script: $*" >&2; exit 1; }

# leave CODE: the last step of a script's EXIT trap. A condition that is false ends a script without a word: here it is.
leave() {
  [ "$1" -eq 0 ] || echo "$script: FAILED with code $1 by: $BASH_COMMAND" >&2
  exit "$1"
}

# within SECONDS COMMAND…: asks until the command succeeds; false if it does not in time.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep "${interval:-0.5}"
  done
}

# soon WHAT COMMAND…: the command succeeds within $patience seconds, three minutes if that is not set.
soon() { within "${patience:-180}" "${@:2}" || fail "never came true: $1"; }

# want WHAT TEXT: the text has it.
want() { grep -qE -- "$1" <<<"$2" || { printf 'wanted /%s/ in:\n%s\n' "$1" "$2"; return 1; }; }

# have WHAT COMMAND…: soon, the command's output has it, however the command ends.
have() { within "${patience:-180}" prints "$@" || { printf 'wanted /%s/ from %s in:\n' "$1" "${*:2}"; "${@:2}"; return 1; }; }
prints() { want "$1" "$("${@:2}" 2>&1 || true)"; }
