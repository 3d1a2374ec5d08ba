#!/usr/bin/env bash
# The whole folder on a laptop cloud of its own: two jobs of two CPUs on one machine of four, a job that no machine could
# run, a sweep, and a tuner that feeds results back as they come while one of its machines is taken away; what it found
# is placed again here, to the same cost. About two minutes. Every wait is for a state.
#
#   check.sh             with the standard library alone
#   check.sh --engines   and the same tuner with Optuna, from PyPI, in a virtual environment of the build's own
#                        (.ci/lib/engines.sh)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v python3 >/dev/null || { echo "openroad-autotuner: SKIPPED: there is no python3"; [ "${CI:-}" != true ]; exit; }
engines=
case ${1:-} in --engines) engines=yes ;; '') ;; *) echo "check.sh: '$1' is no option; there is --engines" >&2; exit 64 ;; esac
source .ci/lib/laptop.sh
script=openroad-autotuner
port=${MAYFLY_AUTOTUNER_PORT:-8810}
mayfly=$PWD/mayfly
folder=$PWD/examples/openroad-autotuner
bucket=$MAYFLY_HOME/cloud/buckets/autotuner-test
export PYTHONDONTWRITEBYTECODE=1

python3 -m venv --without-pip "$MAYFLY_HOME/venv" # what Python has, and the client as it stands in this checkout
python=$MAYFLY_HOME/venv/bin/python
source .ci/lib/engines.sh
optuna=$engines
engines client "${client[@]}" || { echo "openroad-autotuner: SKIPPED"; [ "${CI:-}" != true ]; exit; }
echo "$engines"/lib/python*/site-packages >"$(echo "$MAYFLY_HOME"/venv/lib/python*/site-packages)/client.pth"
engines=$optuna
if [ -n "$engines" ]; then
  engines few "${few[@]}" || engines=
  venv=$engines
fi

start_cloud --tick 2
./mayfly validate "$folder/cluster.yaml" "$folder/sweep.yaml" "$folder/trial.yaml"
./mayfly validate "$folder/private.yaml"

say "two jobs of two CPUs at once on one machine of four"
./mayfly up "$folder/cluster.yaml" --var most=1
./mayfly submit "$folder/trial.yaml" --var name=first --var beside=2
./mayfly submit "$folder/trial.yaml" --var name=second --var beside=2
./mayfly wait first second
cmp "$bucket/trials/first.json" "$bucket/trials/second.json"
want '"cost": 252.0' "$(cat "$bucket/trials/first.json")"
[ "$(names | wc -l)" = 1 ]

say "a job that no machine could run is refused at once"
code=0; out=$(./mayfly submit "$folder/trial.yaml" --var name=large --var cpus=5 2>&1) || code=$?
[ $code = 2 ] || fail "the exit code is $code"
want 'largest worker .*4 CPU' "$out"

say "the folder goes along"
want '^place.py$' "$(cd "$folder" && "$mayfly" run -- ls)"

say "a sweep; again, it runs nothing"
./mayfly up "$folder/cluster.yaml" --var most=2 --var idle=10s
./mayfly submit "$folder/sweep.yaml" --wait
want '9 done before, 0 run' "$(./mayfly submit "$folder/sweep.yaml" --wait)"
(cd "$folder" && python3 - "$bucket/sweep" <<'PYTHON'
import json, pathlib, sys
from place import place

for pad, utilization in ((0, 70), (2, 50)):
    there = json.loads(pathlib.Path(sys.argv[1], f"pad-{pad}-utilization-{utilization}.json").read_text())
    assert place(there["params"], "gcd", lambda number, cost: None) == there["cost"], there
PYTHON
)

# tune EXPERIMENT ENGINE PYTHON: fourteen samples, the last a guess that is hopeless.
hopeless='{"CELL_PAD": 0, "CORE_UTILIZATION": 90, "COOLING": 0.99, "START_TEMPERATURE": 60.0}'
tune() {
  (cd "$folder" && PYTHONPATH=../../clients/python/src timeout 300 "$3" tune.py --experiment "$1" --engine "$2" \
    --samples 14 --pause 0.6 --guess "$hopeless" --report "$MAYFLY_HOME/$1.json")
}
# right EXPERIMENT: each sample has one result in the bucket or was stopped, the hopeless one surely; the best is what
# its parameters give here; and later samples were made from the results of earlier ones.
right() {
  (cd "$folder" && python3 - "$bucket/$1" "$MAYFLY_HOME/$1.json" <<'PYTHON'
import json, pathlib, sys
from place import place

folder, report = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
done, asked = dict(map(tuple, report["done"])), report["asked"]
assert sorted([*done, *report["stopped"]]) == list(range(14)), report
assert 13 in report["stopped"], report
there = {int(f.stem): json.loads(f.read_text()) for f in folder.glob("*.json")}
assert {n: r["cost"] for n, r in there.items()} == done, (there.keys(), done)
assert all(there[n]["params"] == asked[n] for n in done), report
assert {int(f.name.split(".")[0]) for f in folder.glob("*.json.COMPLETE")} == set(done), done
best = report["params"]
assert report["cost"] == min(done.values()) < 400, report
assert place(best, "gcd", lambda number, cost: None) == report["cost"], report
if folder.name == "gcd":
    shared = lambda a, b: sum(a[name] == b[name] for name in a)
    children = [n for n in range(8, 13) if any(shared(asked[n], asked[m]) >= 2 for m in range(n))]
    assert children, "no sample was made from another"
    print(f"{len(children)} samples are children of others")
print(f"{len(done)} done, {len(report['stopped'])} stopped, best {report['cost']}: {best}")
PYTHON
  )
}

# deprived EXPERIMENT ENGINE PYTHON: the same, and in the middle a machine is taken away: what ran there runs again
# elsewhere, and no failure is counted.
deprived() {
  local tuner taken again=
  tune "$@" &
  tuner=$!
  results() { [ "$(find "$bucket/$1" -name '*.COMPLETE' 2>/dev/null | wc -l)" -ge 2 ]; }
  soon 'two samples have ended' results "$1"
  # One that has begun a sample lately, and so will not have ended it when it goes.
  victim() {
    ./mayfly workers -o json | python3 -c '
import datetime, json, sys

now = datetime.datetime.now(datetime.timezone.utc)
begun = lambda lease: (now - datetime.datetime.fromisoformat(lease["since"])).total_seconds()
fit = [w["name"] for w in json.load(sys.stdin) if any(l["running"] and 1 < begun(l) < 8 for l in w["leases"])]
print(fit[0]) if fit else sys.exit(1)
' >"$MAYFLY_HOME/victim"
  }
  soon 'a machine is in the middle of a sample' victim
  taken=$(cat "$MAYFLY_HOME/victim")
  ./mayfly local preempt "$taken" --seconds 1
  wait "$tuner" || fail "the tuner failed"
  gone() { ./mayfly workers --all | grep -E "^$taken .*\b(lost|gone)\b"; }
  soon "$taken is gone" gone
  right "$1"
  for number in $(seq -w 000 013); do
    ./mayfly tasks "$1-$number" -o json | python3 -c '
import json, sys

(task,) = json.load(sys.stdin)
attempts = task.get("attempts", {"total": 0, "failures": 0, "infrastructure": 0})
assert attempts["failures"] == 0, task
# A sample that the tuner stopped meanwhile has no second start.
again = attempts["total"] >= 2 or task["state"] == "stopped"
print(task["job"]) if again and attempts["infrastructure"] >= 1 else None
' >"$MAYFLY_HOME/again" || fail "sample $number has a failure"
    [ ! -s "$MAYFLY_HOME/again" ] || again+=" $number"
  done
  [ -n "$again" ] || fail "no sample ran again after $taken was taken"
  echo "ran again after $taken was taken:$again"
}

say "the tuner; one of its machines is taken away"
deprived gcd evolution "$python"

say "the tuner again: what is there is taken, and nothing runs"
sealed() { (cd "$bucket/gcd" && sha256sum *.COMPLETE *.json); }
before=$(sealed)
out=$(cd "$folder" && PYTHONPATH=../../clients/python/src "$python" tune.py --experiment gcd --samples 3)
want 'sample 001: cost 344.0' "$out"
[ "$(sealed)" = "$before" ] || fail "results have changed"
want 'before, 0 run' "$(./mayfly jobs -n 3)"

say "the hopeless sample was told to end, by its stop file"
want 'stopped by' "$(./mayfly jobs -n 50 | grep -w gcd-013)"
want 'ended after [0-9]+ rounds: stopped' "$(./mayfly logs gcd-013 0)"

if [ -n "$engines" ]; then
  say "the same with Optuna"
  deprived optuna optuna "$venv/bin/python"
fi

say "back to no machine, and down"
none() { [ "$(./mayfly workers -o json)" = '[]' ]; }
soon 'no machine is left' none
patiently down autotuner --wait
say "all of it works"
