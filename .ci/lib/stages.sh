# Sourced by .ci/run and .ci/nightly: stages, alone or in lanes, and the table of their times at the end.

failed=

begin_stages() {
  rm -rf target/ci && mkdir -p target/ci
  local twice
  twice=$({ grep -hsE '^port=' .ci/* examples/*/check.sh || true; } | grep -oE '[0-9]{4}' | sort | uniq -d)
  [ -z "$twice" ] || { echo "two checks have port $twice, and may run at once" >&2; exit 1; }
}

alone() { # alone COMMAND…: it says what it says at once, and nothing runs after it if it fails
  local began=$SECONDS
  "$@"
  echo "$((SECONDS - began)) 0 $*" >>target/ci/times
}

one_by_one() { # one_by_one COMMAND: in the order of the calls; the others run if it fails
  .ci/stage $1 || failed=yes
}

in_lanes() { # in_lanes <STAGES: a command a line, the longest first
  xargs -P "${MAYFLY_CI_LANES:-3}" -L 1 .ci/stage || failed=yes
}

end_stages() {
  .ci/stage
  printf '\nall of it: %d s\n' $SECONDS
  [ -z "$failed" ]
}
