#!/usr/bin/env bash
# The whole folder on a laptop cloud of its own, from no machine to none: demonstrations go to the volume once; six runs
# of a fifth of a GPU each find two GPUs, five of them the same one; five of a quarter of a GPU's memory find one GPU and
# the next, and workers show their use; a machine is taken away in the second sweep; the table is that of runs made here
# without any cluster. About a minute and a half. Every wait is for a state.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v python3 >/dev/null || { echo "il-representations: SKIPPED: there is no python3"; [ "${CI:-}" != true ]; exit; }
source .ci/lib/laptop.sh
script=il-representations

port=${MAYFLY_IL_PORT:-8770}
example=examples/il-representations
volume=$MAYFLY_HOME/cloud/volumes/il # the folder that plays it
bucket=$MAYFLY_HOME/cloud/buckets/il-rep-us-west1
no_machine() { [ "$(./mayfly workers -o json)" = '[]' ]; }

start_cloud --tick 2
./mayfly validate "$example/cluster.yaml" "$example/sweep.yaml" "$example/demos.yaml"
./mayfly up "$example/cluster.yaml" --var idle=3s
no_machine

say "the demonstrations go to the volume, once"
./mayfly submit "$example/demos.yaml" --wait
cat "$bucket"/il-demos/*.txt | sha256sum --check --quiet
out=$(./mayfly submit "$example/demos.yaml" --wait)
want '2 done before, 0 run' "$out"

say "two environments, three seeds: six runs of 0.2"
./mayfly submit "$example/sweep.yaml" --var repl=none --var together=6 --follow
day=("$bucket"/cluster-data/*/20??-??-??)
[ ${#day[@]} = 1 ] || fail "not one owner and day: ${day[*]}"
runs=${day[0]}
python3 - "$runs/bc-none" <<'PYTHON'
import collections, json, pathlib, sys

runs = [json.loads(f.read_text()) for f in pathlib.Path(sys.argv[1]).glob("*.json")]
found = {(r["env"], r["seed"]) for r in runs}
assert len(found) == 6, found
gpus = collections.Counter((r["gpu"], r["uuid"]) for r in runs)
# All six waited until the sixth had begun, so these five were on one GPU at the same time.
assert sorted(gpus.values()) == [1, 5], gpus
assert {gpu for gpu, _ in gpus} == {"0", "1"} and all(id.startswith("GPU-") for _, id in gpus), gpus
print("runs by GPU:", dict(gpus))
PYTHON

say "one command on a quarter of a GPU"
want '^GPU 0$' "$(./mayfly run --gpu 0.25 --no-code -- sh -c 'echo "GPU $CUDA_VISIBLE_DEVICES"')"

say "five runs of a quarter of a GPU's memory: four on one GPU, the fifth on the next, as workers show them"
./mayfly submit "$example/memory.yaml"
shown() { ./mayfly workers -o json </dev/null >"$MAYFLY_HOME/workers.json" && python3 - "$MAYFLY_HOME/workers.json"; } <<'PYTHON'
import json, sys

MIB = 1 << 20
for worker in json.load(open(sys.argv[1])):
    use = {gpu["index"]: (gpu["use"], gpu["memoryUsed"], gpu["memory"]) for gpu in worker["gpus"]}
    if use == {0: (80, 4 * 3840 * MIB, 15360 * MIB), 1: (20, 3840 * MIB, 15360 * MIB)}:
        sys.exit()
sys.exit(1)
PYTHON
soon 'workers show the use and the memory of both GPUs' shown
have 'gpus +50% busy, memory 18.8/30 GiB' ./mayfly status
have '50%/63%' ./mayfly workers
touch "$volume/seen"
./mayfly wait by-memory
# The device; 3840 MiB; a quarter of 15360; a pool with gpuSharing: mps would say where its daemon is.
for line in '4 0 4026531840 0.2500 ' '1 1 4026531840 0.2500 '; do
  sort "$bucket"/by-memory/*.txt | uniq -c | sed 's/^ *//' | grep -qxF "$line" || fail "not $line: $(sort "$bucket"/by-memory/*.txt)"
done
out=$(./mayfly run --gpu-memory 16Gi -- true 2>&1 || true)
want 'asks for 16 GiB of memory a GPU .*has 15 GiB of memory a GPU' "$out"

say "back to no machine"
soon 'no machine is left' no_machine

say "the second sweep, from none again; its machine is taken away"
./mayfly submit "$example/sweep.yaml" --var repl=pca --var together=7
./mayfly submit "$example/table.yaml"
owner=$(basename "$(dirname "$runs")")
place=$volume/cluster-data/$owner/$(basename "$runs")/bc-pca/begun
begun() { [ "$(find "$place" -type f | wc -l)" -ge 1 ]; }
soon 'a run has begun' begun
taken=$(names)
./mayfly local preempt "$taken" --seconds 1
touch "$place/seventh" # for which the runs waited
./mayfly wait bc-pca table
have "^$taken .*(lost|gone)" ./mayfly workers --all

say "the table"
[ "$(find "$runs" -name '*.json.COMPLETE' | wc -l)" = 12 ] || fail "not a sentinel for each of 12 runs"
cat "$runs/table.txt"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$example python3 - "$runs" "$volume" <<'PYTHON'
import json, pathlib, sys
from table import table
from train import train

runs, volume = map(pathlib.Path, sys.argv[1:])
results = [json.loads(f.read_text()) for f in sorted(runs.glob("bc-*/*.json"))]
text = (runs / "table.txt").read_text()
assert text == table(results), text
mean = {}
for line in text.splitlines()[1:]:
    env, repl, seeds, success, worst, best, chance = line.split()
    assert seeds == "3" and float(chance) < float(success), line
    mean[env, repl] = float(success)
for env in ("move-to-goal", "move-to-mirror"):
    assert mean[env, "pca"] > mean[env, "none"], mean
# One run again, here: the same numbers.
again, _ = train("pca", "move-to-goal", 2, volume / "il-demos")
there = next(r for r in results if (r["repl"], r["env"], r["seed"]) == ("pca", "move-to-goal", 2))
assert again.items() <= there.items(), (again, there)
PYTHON

say "the owner, the day and the name are in the volume's folders too"
[ "$(find "$volume/cluster-data/$owner" -name '*-policy.json' | wc -l)" = 12 ] || fail "not 12 policies on the volume"

say "down"
soon 'no machine is left' no_machine
patiently down il-rep --wait
say "all of it works"
