#!/usr/bin/env bash
# Alpa's development cluster on a laptop cloud of its own that ends with this script: an image baked by a program in the
# place of gcloud, three fixed machines that start from it close together, a shared folder, files brought and fetched, a
# shell in a pseudo-terminal, gangs that sum over TCP, ssh between hosts with keys of one run. Results are compared with
# those that this script computes itself. About two minutes.
#
#   examples/alpa/check.sh --engines     the same, and a Ray cluster of the three machines with Tune: from PyPI, into a
#                                        folder of the build's own ($MAYFLY_ENGINES; the network the first time)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/lib/laptop.sh
source .ci/lib/engines.sh
source .ci/lib/packages.sh
script=alpa

command -v python3 >/dev/null || fail "there is no python3, which the example's programs need"
here=examples/alpa
port=${MAYFLY_ALPA_PORT:-8880}
patience=300
bucket=$MAYFLY_HOME/cloud/buckets/alpa-us-west1
shared=$MAYFLY_HOME/cloud/volumes/shared # the folder that plays it

same() { # same WHAT SEEN WANTED
  [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

say "mayfly local"
start_cloud --tick 2

say "the recipe of the container image fits the machines' driver"
want '^FROM nvidia/cuda:12.4' "$(./mayfly image build "$here" -f "$here/cluster.yaml" --print)"

say "a boot image is baked: a machine pulls the container image, becomes the image, and goes"
mkdir "$MAYFLY_HOME/bin"
cat >"$MAYFLY_HOME/bin/gcloud" <<'SH'
#!/bin/sh
# In gcloud's place: notes its orders, keeps the machine's script, and says that the machine has powered off.
echo "$*" >>"$MAYFLY_HOME/orders"
for word; do
  case $word in --metadata-from-file=startup-script=*) cp "${word##*=}" "$MAYFLY_HOME/script" ;; esac
done
case $3 in describe) echo TERMINATED ;; esac
SH
chmod +x "$MAYFLY_HOME/bin/gcloud"
container=us-west1-docker.pkg.dev/lab/research/alpa:1
out=$(PATH=$MAYFLY_HOME/bin:$PATH MAYFLY_PROJECT=lab ./mayfly image bake alpa-1 --family alpa --zone us-west1-b \
  --base projects/deeplearning-platform-release/global/images/family/common-cu129-ubuntu-2204-nvidia-580 --disk-gb 100 \
  --pull "$container" --service-account baker@lab.iam.gserviceaccount.com)
same 'what gcloud was asked' "$(cut -d' ' -f2-4 "$MAYFLY_HOME/orders" | tr '\n' ';')" \
  'instances create bake-alpa-1;instances describe bake-alpa-1;images create alpa-1;instances delete bake-alpa-1;'
want "pull -- $container\$" "$(cat "$MAYFLY_HOME/script")"
image=$(sed -n 's/^machines start from it with machine.image: //p' <<<"$out")
same 'its name' "$image" projects/lab/global/images/family/alpa

say "three machines from up to down, from that image, close together; up says what they cost"
out=$(patiently up "$here/cluster.yaml" --var "image=$image" 2>&1)
want 'workers.min: is 3: .*, about \$[0-9.]+ an hour' "$out"
soon "three machines are ready" ready gpu 3
./mayfly local state | python3 -c '
import json, sys

machines = json.load(sys.stdin)["machines"]
assert len(machines) == 3, machines
assert {machine["bootImage"] for machine in machines} == {sys.argv[1]}, machines
policies = {tuple(machine["resourcePolicies"]) for machine in machines}
assert len(policies) == 1 and len(policies.pop()) == 1, machines
assert len({machine["zone"] for machine in machines}) == 1, machines
print("three machines, one placement policy:", *machines[0]["resourcePolicies"])
' "$image"
machines=$(names)
mapfile -t machine <<<"$machines"

say "files: to the shared folder, seen on a machine, fetched from another"
head -c 2000000 /dev/urandom >"$MAYFLY_HOME/nccl.txz"
patiently storage cp "$MAYFLY_HOME/nccl.txz" shared:
same 'what the second machine reads' "$(./mayfly exec "${machine[1]}" -- sha256sum "$shared/nccl.txz" | cut -d' ' -f1)" \
  "$(sha256sum "$MAYFLY_HOME/nccl.txz" | cut -d' ' -f1)"
patiently cp "${machine[2]}:$shared/nccl.txz" "$MAYFLY_HOME/back.txz"
cmp "$MAYFLY_HOME/nccl.txz" "$MAYFLY_HOME/back.txz"

say "a shell for the day, at a terminal, in the folder that everybody shares"
patiently dev --name alpa --gpu 1 --for 1h --no-code --no-attach
PYTHONPATH=.ci/interactive-checks python3 - <<'PY'
from terminal import Terminal, check

terminal = Terminal("./mayfly", "attach", "dev-alpa", patience=120)
terminal.line("PS1='ready''> '")
terminal.expect("ready> ")
terminal.line("cd $MAYFLY_MOUNT_SHARED && echo my own code >code.py && echo GPU $CUDA_VISIBLE_DEVICES of $(ls)")
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
  # A task's folder is deleted just after the task is done.
  gone() { ! grep -rqsF -- "$1" "$MAYFLY_HOME"; }
  for key in "${keys[@]}"; do soon 'nothing is left of a private key' gone "$key"; done
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
