# Sourced by scripts that try Mayfly on a laptop cloud of their own, which ends with the script. A script that fails
# shows its workers, its jobs and the last lines of the logs.

source .ci/lib/polling.sh

MAYFLY_HOME=$(mktemp -d)
export MAYFLY_HOME
parts=()

# start ARGUMENT…: the laptop cloud, or a part of it, in the background. $port is its own.
start() {
  ./mayfly local --port "$port" "$@" >>"$MAYFLY_HOME/local.log" 2>&1 &
  parts+=($!)
}

# start_cloud ARGUMENT…: all of it. What has to be built is built before, and not while somebody waits for it.
start_cloud() {
  ./mayfly version
  start "$@"
  soon 'the laptop cloud is up, or has ended' up_or_ended
  grep -q 'is up' "$MAYFLY_HOME/local.log" || fail 'the laptop cloud has ended'
}
up_or_ended() { grep 'is up' "$MAYFLY_HOME/local.log" || ! kill -0 "${parts[0]}"; }

# start_parts ARGUMENT…: the cloud, and a control plane that can be stopped alone.
start_parts() {
  ./mayfly version
  start --only cloud "$@"
  soon 'the cloud is up' test -s "$MAYFLY_HOME/cloud/grpc-endpoint"
  start --only control "$@"
}

# stop_control: as if the control plane were away.
stop_control() {
  kill "${parts[-1]}"
  wait "${parts[-1]}" 2>/dev/null || true
  unset 'parts[-1]'
}

finish() {
  local code=$? part
  if [ $code -ne 0 ]; then
    echo "$script: FAILED; its workers, its jobs, and the logs' last lines:"
    list_workers --all 2>/dev/null || true
    ./mayfly jobs 2>/dev/null || true
    tail -n 20 "$MAYFLY_HOME"/logs/*.log "$MAYFLY_HOME"/*.log 2>/dev/null || true
  fi
  ./mayfly local delete '*' >/dev/null 2>&1 || true
  for part in "${parts[@]}"; do kill "$part" 2>/dev/null || true; done
  for part in "${parts[@]}"; do wait "$part" 2>/dev/null || true; done
  rm -rf "$MAYFLY_HOME"
  leave $code
}
trap finish EXIT

# Where there are several clusters, $cluster says which one's workers are meant.
list_workers() { ./mayfly workers ${cluster:+-c "$cluster"} "$@"; }
names() { list_workers "$@" -o json | grep -oE '"name" *: *"[^"]*"' | cut -d'"' -f4 | sort -u; }

# ready POOL N: so many workers of the pool are ready.
ready() { [ "$(list_workers -o json | tr '{' '\n' | grep -c "\"pool\" *: *\"$1\".*\"state\" *: *\"ready\"")" = "$2" ]; }
succeeded() { ./mayfly jobs | grep -w "$1" | grep -qw succeeded; }

# patiently COMMAND…: again while it ends with 75, which a busy machine is enough for.
patiently() {
  local code=0 _
  for _ in $(seq 6); do
    code=0
    ./mayfly "$@" || code=$?
    [ $code -eq 75 ] || break
  done
  return $code
}
