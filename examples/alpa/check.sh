#!/usr/bin/env bash
# Alpa's development cluster on a laptop cloud of its own that ends with this script: three fixed machines with a shared
# folder, files brought and fetched, a shell in a pseudo-terminal, gangs that sum over TCP, ssh between hosts with keys
# of one run. Results are compared with those that this script computes itself. About two minutes.
#
#   examples/alpa/check.sh --engines     the same, and a Ray cluster of the three machines with Tune: from PyPI, into a
#                                        folder of the build's own ($MAYFLY_ENGINES; the network the first time)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/lib/volumes.sh
in_own_namespace "$PWD/examples/alpa/check.sh" "$@"
source .ci/lib/laptop.sh
source .ci/lib/engines.sh
source .ci/lib/packages.sh
script=alpa

command -v python3 >/dev/null || fail "there is no python3, which the example's programs need"
here=examples/alpa
port=${MAYFLY_ALPA_PORT:-8880}
patience=300
bucket=$MAYFLY_HOME/cloud/buckets/alpa-us-west1
shared=/mnt/alpa
cp "$here/cluster.yaml" "$MAYFLY_HOME/cluster.yaml"
if [ "$own_mounts" = yes ]; then
  pretend_volume 10.0.0.2:/vol1 "$shared"
else
  shared=$MAYFLY_HOME/shared
  mkdir "$shared"
  sed -i '/^mounts:/,/^  - {nfs/d' "$MAYFLY_HOME/cluster.yaml"
fi

same() { # same WHAT SEEN WANTED
  [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

say "mayfly local"
start_cloud --tick 2

say "three machines from up to down, close together"
patiently up "$MAYFLY_HOME/cluster.yaml"
soon "three machines are ready" ready gpu 3
machines=$(names)
mapfile -t machine <<<"$machines"

say "files: to one machine's shared folder, seen on the next, fetched from the third"
head -c 2000000 /dev/urandom >"$MAYFLY_HOME/nccl.txz"
patiently cp "$MAYFLY_HOME/nccl.txz" "${machine[0]}:$shared/nccl.txz"
same 'what the second machine reads' "$(./mayfly exec "${machine[1]}" -- sha256sum "$shared/nccl.txz" | cut -d' ' -f1)" \
  "$(sha256sum "$MAYFLY_HOME/nccl.txz" | cut -d' ' -f1)"
patiently cp "${machine[2]}:$shared/nccl.txz" "$MAYFLY_HOME/back.txz"
cmp "$MAYFLY_HOME/nccl.txz" "$MAYFLY_HOME/back.txz"

say "a shell for the day, at a terminal, in the folder that everybody shares"
patiently dev --name alpa --gpu 1 --for 1h --no-code --no-attach
PYTHONPATH=.ci/interactive-checks python3 - "$shared" <<'PY'
import sys
from terminal import Terminal, check

terminal = Terminal("./mayfly", "attach", "dev-alpa", patience=120)
terminal.line("PS1='ready''> '")
terminal.expect("ready> ")
terminal.line(f"cd {sys.argv[1]} && echo my own code >code.py && echo GPU $CUDA_VISIBLE_DEVICES of $(ls)")
terminal.expect(r"GPU \d of code.py nccl.txz")
terminal.line("exit 0")
check(terminal.code() == 0, "the exit code is not the shell's")
PY
same 'what another machine reads' "$(./mayfly exec "${machine[1]}" -- cat "$shared/code.py")" 'my own code'
patiently dev --name alpa --end

say "two gangs at once sum over TCP, each rank at its own address"
patiently submit "$here/all-reduce.yaml" --var hold=5 --wait
python3 - "$bucket" "$here" <<'PY'
import array, hashlib, json, pathlib, sys

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from all_reduce import numbers

seen = [json.loads(pathlib.Path(sys.argv[1], f"results/all-reduce/{task}.json").read_text()) for task in (0, 1)]
for task, found in enumerate(seen):
    wanted = array.array("q", map(sum, zip(*(numbers(task, rank, 100_000) for rank in range(3)))))
    assert found["sha256"] == hashlib.sha256(wanted.tobytes()).hexdigest(), found
    assert found["ranks"] == 3 and len(set(found["hosts"])) == 3, found
assert seen[0]["port"] != seen[1]["port"], seen
print("both sums are right; hosts", seen[0]["hosts"])
PY
find "$bucket" -name '*.log' -exec cat {} + | grep ' of 3 at ' | sort | tee "$MAYFLY_HOME/sums"
same 'ranks' "$(grep -c 'of 3 at 127[.].*: sum ' "$MAYFLY_HOME/sums")" 6
same 'sums' "$(grep -oE 'sum [0-9a-f]+' "$MAYFLY_HOME/sums" | sort | uniq -c | awk '{print $1}' | tr '\n' ' ')" '3 3 '

say "ssh between the hosts of a gang, with keys of this run"
if lacking=$(install_lacking ssh=openssh-client sshd=openssh-server); then
  touch "$MAYFLY_HOME/hold"
  patiently submit "$here/hosts.yaml" --var hold="$MAYFLY_HOME/hold"
  key() { ./mayfly exec "hosts/0.$1" -- sh -c 'sed -n 4p "$MAYFLY_SSH/id_ed25519"' 2>/dev/null; }
  made() { [ -n "$(key "$1")" ]; }
  for rank in 0 1 2; do soon "rank $rank has its key" made $rank; done
  keys=("$(key 0)" "$(key 1)" "$(key 2)")
  same 'different keys' "$(printf '%s\n' "${keys[@]}" | sort -u | wc -l)" 3
  for key in "${keys[@]}"; do
    same 'where a private key is' "$(grep -rlF -- "$key" "$MAYFLY_HOME" | sed 's|.*/||' | tr '\n' ' ')" 'id_ed25519 '
  done
  rm "$MAYFLY_HOME/hold"
  patiently wait hosts
  hash=$(sha256sum <"$here/all_reduce.py")
  i=0
  while read -r line; do
    want "^rank $i of 3 at 127[.].* has $hash" "$line"
    i=$((i + 1))
  done <"$bucket/results/hosts.txt"
  same 'hosts reached' $i 3
  want 'rights: 700 600' "$(./mayfly logs hosts)"
  for key in "${keys[@]}"; do
    same 'what is left of a private key' "$(grep -rlF -- "$key" "$MAYFLY_HOME" || true)" ''
  done
else
  say "SKIPPED: ssh between hosts: $lacking; the keys' files are tested by SshGangTest and SshKeyPairTest"
fi

if [ "${1:-}" = --engines ]; then
  say "a Ray cluster of three machines, and a script with ray.init(\"auto\")"
  if engines ray 'ray[tune]==2.60.0'; then
    patiently submit "$here/tune.yaml" --var "engines=$engines" --wait
    python3 - "$bucket/results/tune.json" <<'PY'
import json, sys

found = json.load(open(sys.argv[1]))
print(found)
assert found["trials"] == 8 and len(found["hosts"]) == 3, found
# Of these step sizes, the one that contracts both directions most in 50 steps.
best = min([0.001, 0.003, 0.01, 0.03, 0.06, 0.09, 0.12, 0.2], key=lambda r: (1.5 * (1 - 2 * r) ** 50) ** 2 + 10 * (1.5 * (1 - 20 * r) ** 50) ** 2)
assert found["rate"] == best, (found, best)
assert set(found["ran"]) <= set(found["hosts"]), found
PY
  fi
else
  say "SKIPPED: Ray Tune on the gang's machines, which --engines asks for"
fi

say "the machines are those of the morning; down"
same 'the machines' "$(names)" "$machines"
patiently down alpa --wait
want '"machines" : \[ \]' "$(./mayfly local state)"
say "all of it works"
