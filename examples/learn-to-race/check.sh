#!/usr/bin/env bash
# The whole folder on a laptop cloud of its own: three machines of one's own join, each with one GPU (pretended); twelve
# seeds run at once, four on each GPU; they drive better than by chance, and as they do here without a cluster; a stop
# and then `down` in the middle of work leave no process and no worker. About two minutes. Every wait is for a state.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v python3 >/dev/null || { echo "learn-to-race: SKIPPED: there is no python3"; [ "${CI:-}" != true ]; exit; }
source .ci/lib/volumes.sh
in_own_namespace "$PWD/examples/learn-to-race/check.sh" "$@"
source .ci/lib/laptop.sh
script=learn-to-race

port=${MAYFLY_L2R_PORT:-8790}
example=$MAYFLY_HOME/l2r
mount=/mnt/data
cp -r examples/learn-to-race "$example"
if [ "$own_mounts" = yes ]; then
  pretend_volume phoebe-nfs:/hot/jamesher-l2r-persistent-claim "$mount"
else
  mount=$MAYFLY_HOME/volume
  mkdir "$mount"
  sed -i '/^mounts:/,/^  - {nfs/d' "$example/cluster.yaml"
  sed -i "s|/mnt/data|$mount|" "$example/config.json"
fi
bucket=$MAYFLY_HOME/cloud/buckets/phoebe-results

# left: every process of a joined machine: the command that joined, its agent, its tasks and what those started.
left() {
  local dir
  for dir in /proc/[0-9]*; do
    if tr '\0' ' ' 2>/dev/null <"$dir/cmdline" | grep -qF "$MAYFLY_HOME/phortx" ||
      tr '\0' '\n' 2>/dev/null <"$dir/environ" | grep -qF "$MAYFLY_HOME/phortx"; then echo "${dir#/proc/}"; fi
  done
}
simulators() { pgrep -fc "simulator.py $mount/" || true; }
nothing_left() { [ -z "$(left)" ]; }
driving() { [ "$(simulators)" -ge "$1" ]; }
# addresses: how many different ones the machines have.
addresses() {
  local process
  for process in $(left); do tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" || true; done |
    grep '^MAYFLY_ADDRESS=127[.]255[.]' | sort -u | wc -l
}
small=(--var cpu=0.25 --var memory=64Mi)

start_cloud --tick 2
./mayfly up "$example/cluster.yaml" --var gpus=1 --var cpus=1

say "three machines join; each says what its driver lists"
for machine in phortx1 phortx2 phortx3; do
  ./mayfly worker join --pool phortx --name "$machine" --pretend-gpus 1 \
    --dir "$MAYFLY_HOME/$machine" >"$MAYFLY_HOME/$machine.log" 2>&1 &
  parts+=($!)
done
soon 'three machines are ready' ready phortx 3
./mayfly workers
[ "$(addresses)" = 3 ] || fail "the three machines have not each an address of its own"

say "the track goes to the volume by way of one of them"
python3 "$example/track.py" "$MAYFLY_HOME/thruxton.json"
mayfly=$PWD/mayfly
(cd "$example" && "$mayfly" run --worker phortx1 --cpu 0.25 -- python3 track.py "$mount/l2r/tracks/thruxton.json")
cmp "$MAYFLY_HOME/thruxton.json" "$mount/l2r/tracks/thruxton.json"

say "twelve seeds, four on each of three GPUs"
./mayfly submit "$example/job.yaml" "${small[@]}" --var together=12 --var rounds=3 --wait
./mayfly submit "$example/job.yaml" "${small[@]}" --var baseline=random --wait
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$example python3 - "$bucket" "$example" "$mount/l2r/tracks/thruxton.json" <<'PYTHON'
import collections, json, pathlib, random, sys
from race import Simulator, learn

bucket, example, track = map(pathlib.Path, sys.argv[1:])
def results(job):
    found = [json.loads(f.read_text()) for f in (bucket / job).glob("*.json")]
    assert sorted(r["seed"] for r in found) == list(range(12)), found
    return sorted(found, key=lambda r: r["seed"])

runs, chance = results("l2r-cem"), results("l2r-random")
# All twelve waited until the twelfth had begun, so this is how they shared the GPUs at one moment.
gpus = collections.Counter(r["uuid"] for r in runs)
assert gpus == {f"GPU-phortx{i}-0": 4 for i in (1, 2, 3)}, gpus
assert {(r["gpu"], r["nvidia"]) for r in runs} == {("0", "0")}, runs
mean = lambda found: sum(r["laps"] for r in found) / len(found)
print(f"laps: by chance {mean(chance):.3f}, learned {mean(runs):.3f}; seeds by GPU: {dict(gpus)}")
assert mean(runs) > 4 * mean(chance), (runs, chance)
again, _ = learn(Simulator(str(example / "simulator.py"), str(track)), random.Random(7), 3, 10, 3)
assert again == runs[7]["history"], (again, runs[7])
PYTHON
[ "$(find "$mount/l2r/workspaces/results/l2r-cem" -name '*.driver.json' | wc -l)" = 12 ] || fail "not 12 drivers on the volume"

say "stop --wait: no simulator runs on, though they are children of children"
./mayfly submit "$example/job.yaml" "${small[@]}" --again --var rounds=100000
soon 'twelve simulators run' driving 12
./mayfly stop l2r-cem --wait
[ "$(simulators)" = 0 ] || fail "$(simulators) simulators still run"

say "down, in the middle of work: proof that nothing is left"
./mayfly submit "$example/job.yaml" "${small[@]}" --again --var rounds=100000
soon 'twelve simulators run' driving 12
echo "$(left | wc -l) processes of the three machines"
./mayfly down phoebe --wait
for machine in phortx1 phortx2 phortx3; do soon "$machine was told" grep -q 'was removed' "$MAYFLY_HOME/$machine.log"; done
soon 'nothing of them runs' nothing_left
[ "$(simulators)" = 0 ] || fail "$(simulators) simulators still run"
[ "$(./mayfly workers -c phoebe -o json)" = '[]' ] || fail "it has workers"
if ./mayfly jobs -c phoebe -n 20 | grep -wE 'running|waiting|stopping'; then fail "a job still runs"; fi
[ -z "$(ls "$MAYFLY_HOME/cloud/vms" 2>/dev/null)" ] || fail "machines were ordered"
want '^cleanup would delete nothing$' "$(./mayfly cleanup --dry-run 2>&1)"
echo "0 processes, no worker, no machine"
say "all of it works"
