# What the group's launch scripts do from the head: a file to each host, and a command on each, by ssh.
set -eu
# As long as that file is there, for a look at a running gang.
while [ -e "$1" ]; do sleep 0.2; done
for host in $(cat "$MAYFLY_SSH/hosts"); do
  scp -q all_reduce.py "$host:copied.py" </dev/null
  ssh "$host" 'echo "rank $MAYFLY_RANK of $MAYFLY_WORLD_SIZE at $MAYFLY_NODE_IP has $(sha256sum <copied.py)"' </dev/null
done >"$MAYFLY_OUTPUT"
cat "$MAYFLY_OUTPUT"
# The key is this run's, and for nobody else to read.
echo "rights: $(stat -c %a "$MAYFLY_SSH" "$MAYFLY_SSH/id_ed25519" | tr '\n' ' ')"
