#!/usr/bin/env bash
# What Marin does with its clusters, on a laptop cloud of its own that ends with this script: the Reddit job over files
# with sentinels in three regions, from one TPU to many and back, a dead spot TPU replaced, a reserved slice reshaped,
# and training that loses its slice and continues from its checkpoint. Results are compared, byte by byte where they can
# be. About three minutes. Every wait is for a state and ends when it is there.
#
#   examples/marin/check.sh --engines     the same, and JAX on the processor across the hosts of a gang, which each host
#                                         installs from PyPI, as it does for a reader
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/lib/laptop.sh
source .ci/lib/engines.sh
script=marin

command -v python3 >/dev/null || fail "there is no python3, which the example's programs need"
here=examples/marin
port=${MAYFLY_MARIN_PORT:-8870}
patience=400
cluster=us-central2
buckets=$MAYFLY_HOME/cloud/buckets
work=$MAYFLY_HOME/work
mkdir -p "$work/first" "$work/second"

same() { # same WHAT SEEN WANTED
  [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}
sentinels() { find "$buckets/$1/results/toxicity" -name '*.COMPLETE' 2>/dev/null | wc -l; }

say "the classifier, without a cluster: equal bytes twice, a line for each post, bad input told with its place"
posts=$(cat "$here"/data/*.jsonl.gz | gzip -dc | wc -l)
(cd "$here" && python3 -B - "$work/first" <<'PY'
import pathlib, sys
import classify

model = classify.Classifier("weights.tsv")
for file in sorted(pathlib.Path("data").glob("*.jsonl.gz")):
    classify.classify(model, file, pathlib.Path(sys.argv[1], file.name))
PY
)
for name in posts-000.jsonl.gz posts-021.jsonl.gz posts-047.jsonl.gz; do
  python3 "$here/classify.py" "$here/data/$name" "$work/second/$name"
  cmp "$work/first/$name" "$work/second/$name"
done
same 'posts with a score' "$(cat "$work"/first/*.gz | gzip -dc | grep -cE '^\{"id":".+","score":[01]\.[0-9]+,"label":"(fine|toxic)"\}$')" $posts
same 'files and posts' "$(ls "$work/first" | wc -l) $posts" '48 3301'
same 'toxic posts' "$(cat "$work"/first/*.gz | gzip -dc | grep -c '"label":"toxic"')" 89
printf '{"id":"a","text":"b"}\n{"id":"c"}\n' | gzip >"$work/bad.gz"
if out=$(python3 "$here/classify.py" "$work/bad.gz" "$work/none.gz" 2>&1); then fail "a post without a text was accepted"; fi
want 'line 2: no string "text"' "$out"

say "mayfly local"
start_cloud --tick 2
for region in us-central2 us-west4 eu-west4; do mkdir -p "$buckets/marin-$region/reddit"; done
cp "$here"/data/posts-*.jsonl.gz "$buckets/marin-us-central2/reddit/"
cp "$here"/data/posts-00[0-3].jsonl.gz "$buckets/marin-us-west4/reddit/"
cp "$here"/data/posts-04[0-2].jsonl.gz "$buckets/marin-eu-west4/reddit/"

say "three regions from one file; one TPU is kept, where nothing runs yet"
patiently up "$here/regions.yaml" --var least=1 --var most=4 --var idle=5s
soon "one v4-8 is ready" ready v4 1

say "the Reddit job in all three regions, each beside its bucket"
touch "$MAYFLY_HOME/held"
patiently submit "$here/job.yaml" --var pool=v4 --var tpu=4 -- --while "$MAYFLY_HOME/held"
patiently submit "$here/job.yaml" -c us-west4 --var region=us-west4 --var pool=v5e --var tpu=1
patiently submit "$here/job.yaml" -c eu-west4 --var region=eu-west4 --var pool=v5e --var tpu=1

say "from one TPU to four; one of them is dead while its API says READY"
running() { [ "$(./mayfly tasks -c us-central2 reddit-toxicity --state running -o json | grep -oE '"state" *: *"running"' | wc -l)" = "$1" ]; }
soon "four v4-8 are ready" ready v4 4
soon "four tasks run" running 4
victim=$(names | grep -- -v4- | head -1)
patiently local kill "$victim"
no_victim() { ! names | grep -qx "$victim"; }

say "training on both hosts of a spot slice, meanwhile; slowly, so that it can be caught in the middle"
touch "$MAYFLY_HOME/slow"
patiently submit "$here/train.yaml" --var slow="$MAYFLY_HOME/slow"
steps() { ./mayfly exec -c us-central2 train/0.0 -- sh -c 'wc -l <"$MAYFLY_METRICS"' 2>/dev/null; }
far() { [ "$(steps)" -ge 20 ]; }
soon "the training is at step 20" far

say "a preemption with notice: the training saves in the time that is left"
slice=$(names | grep -- -slice- | head -1)
patiently local preempt "$slice" --seconds 15
rm "$MAYFLY_HOME/slow"
trained() { ./mayfly jobs -c us-central2 | grep -E '(^| )train ' | grep -qw succeeded; }

say "a reserved v4-32 becomes two v4-16, with no more chips than the reservation has"
patiently local tpu-reservation name=lab-v4 chips=16
patiently slice create -c us-central2 --type v4-32 --reserved --reservation lab-v4 --name big
soon "the slice is ready" ready big 1
patiently slice reshape big 2xv4-16
soon "both slices are ready" ready big 2

say "another TPU is in the place of the dead one, and its task runs there"
soon "the dead TPU is deleted" no_victim
soon "four v4-8 are ready again" ready v4 4
soon "four tasks run again" running 4
rm "$MAYFLY_HOME/held"

say "the same training, undisturbed, on both of them"
patiently submit "$here/train.yaml" --var as=undisturbed --var pool=big --var seeds=2 --wait
soon "the disturbed one is done" trained

say "equal models; the curve goes on at the step of the checkpoint"
models=$buckets/marin-us-central2/models
curve() { cat "$models/$1"/*/curve.tsv; }
cmp "$models"/train/0/*/model.json "$models"/undisturbed/0/*/model.json
cmp <(curve train/0 | cut -f 1,2) <(curve undisturbed/0 | cut -f 1,2)
if cmp -s "$models"/undisturbed/0/*/model.json "$models"/undisturbed/1/*/model.json; then fail "two seeds gave one model"; fi
same 'steps' "$(curve train/0 | cut -f 1)" "$(seq 300)"
same 'attempts of the undisturbed' "$(curve undisturbed/0 | cut -f 3 | sort -u | wc -l)" 1
same 'attempts of the disturbed, one after the other' "$(curve train/0 | cut -f 3 | uniq | wc -l)" 2
same 'attempts of the disturbed' "$(curve train/0 | cut -f 3 | sort -u | wc -l)" 2
before=$(curve train/0 | cut -f 3 | uniq -c | head -n 1 | awk '{print $1}')
./mayfly logs -c us-central2 train >"$work/train.log"
want "asked to end \((preempted|gang)\): saved at step $before\$" "$(cat "$work/train.log")"
want "rank 0 of 2 begins at step $before\$" "$(cat "$work/train.log")"
want "rank 1 of 2 begins at step $before\$" "$(cat "$work/train.log")"
[ "$before" -ge 20 ] && [ "$before" -lt 300 ] || fail "the first attempt ended at step $before"

say "every file has its scores, as without a cluster, and its sentinel"
done_in() { [ "$(sentinels "marin-$1")" = "$2" ]; }
soon "48 files are done" done_in us-central2 48
soon "4 files are done in us-west4" done_in us-west4 4
soon "3 files are done in eu-west4" done_in eu-west4 3
for region in us-central2 us-west4 eu-west4; do
  for input in "$buckets/marin-$region"/reddit/*.gz; do
    cmp "$buckets/marin-$region/results/toxicity/$(basename "$input")" "$work/first/$(basename "$input")"
  done
done
patiently slice delete big
soon "one v4-8 is left" ready v4 1
soon "no slice is left" ready slice 0

say "the same files by classifiers that stay: equal bytes, and far fewer loads than files"
want '48 of 48 tasks done' "$(patiently submit "$here/warm.yaml" --var pool=v4 --var tpu=4 --wait)"
for input in "$buckets"/marin-us-central2/reddit/*.gz; do
  cmp "$buckets/marin-us-central2/results/warm/$(basename "$input")" "$work/first/$(basename "$input")"
done
./mayfly logs -c us-central2 reddit-warm >"$work/warm.log"
same 'files that were told of' "$(grep -c ' posts, ' "$work/warm.log")" 48
loads=$(grep -c ' weights loaded$' "$work/warm.log")
echo "$script: $loads loads"
[ "$loads" -ge 1 ] && [ "$loads" -le 12 ] || fail "48 files by programs that stay took $loads loads"

say "one command on the chips of a host"
./mayfly run -c $cluster --pool v4 --tpu 4 --no-code --name chips -- true
want '"workers" *: *\[ *"[^"]*-v4-' "$(./mayfly tasks -c $cluster chips -o json)"

say "again: an old script's empty sentinel counts, and exactly what lost its sentinel runs"
rm "$buckets"/marin-us-central2/results/toxicity/posts-00[345].jsonl.gz*
: >"$buckets/marin-us-central2/results/toxicity/posts-005.jsonl.gz.COMPLETE"
want '48 of 48 tasks done \(46 done before, 2 run\)' "$(patiently submit "$here/job.yaml" --var pool=v4 --var tpu=4 --wait)"
cmp "$buckets/marin-us-central2/results/toxicity/posts-004.jsonl.gz" "$work/first/posts-004.jsonl.gz"
[ ! -e "$buckets/marin-us-central2/results/toxicity/posts-005.jsonl.gz" ]

if [ "${1:-}" = --engines ]; then
  say "JAX on the processor, across two hosts of a gang"
  if on_pypi "$(cat "$here/jax/requirements.txt")"; then
    patiently up "$here/jax/cluster.yaml"
    patiently submit "$here/jax/job.yaml" --wait
    python3 - "$buckets"/marin-jax/fit/0 <<'PY'
import json, sys
seen = json.load(open(sys.argv[1]))
print(seen)
assert seen["processes"] == 2 and seen["devices"] >= 2, seen
# The line that the data was made from.
assert abs(seen["slope"] - 3) < 0.01 and abs(seen["offset"] + 1) < 0.01, seen
PY
    patiently down jax --wait
  fi
else
  say "SKIPPED: JAX across the hosts of a gang, which --engines asks for"
fi

say "down"
for region in us-central2 us-west4 eu-west4; do patiently down $region; done
for region in us-central2 us-west4 eu-west4; do patiently down $region --wait; done
out=$(./mayfly local state)
want '"machines" : \[ \]' "$out"
want '"tpus" : \[ \]' "$out"
say "all of it works"
