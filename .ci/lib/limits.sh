# Sourced by checks of control groups: some kernels and sandboxes have the files of control groups, take what is written
# there, and limit nothing.

# unlimited cpu|memory: why this kernel limits no such use, in one line; nothing if it does. It tries, with groups of its
# own and a process that uses too much.
unlimited() {
  local base=/sys/fs/cgroup group
  [ -e $base/cgroup.controllers ] || base=/sys/fs/cgroup/$1
  group=$base/mayfly-images-probe-$1-$$
  if ! mkdir "$group" 2>/dev/null; then echo "no control group for $1 can be made here"; return; fi
  "unlimited_$1" "$group"
  rmdir "$group" 2>/dev/null || true
}

# heavy GROUP: what is in the group, below the top of the tree, goes before other programs of a busy computer. Otherwise
# these leave a container less than its limit, and nothing is seen to be throttled.
heavy() {
  if [ -d /sys/fs/cgroup/cpu ]; then
    mkdir -p "/sys/fs/cgroup/cpu/$1" && echo 200000 >"/sys/fs/cgroup/cpu/$1/cpu.shares"
  elif [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir -p "/sys/fs/cgroup/$1" && echo 10000 >"/sys/fs/cgroup/$1/cpu.weight"
  fi 2>/dev/null || true
}

# A process that spins for two seconds with a fifth of a processor is throttled, whatever else the computer does.
unlimited_cpu() {
  local group=$1 quota=20000
  if [ -e "$group/cpu.cfs_quota_us" ]; then
    echo $quota 2>/dev/null >"$group/cpu.cfs_quota_us" || true
    [ "$(cat "$group/cpu.cfs_quota_us")" = $quota ] || { echo 'the kernel does not keep a quota of processors'; return; }
  else
    echo "$quota 100000" 2>/dev/null >"$group/cpu.max" || true
    [ "$(cat "$group/cpu.max" 2>/dev/null)" = "$quota 100000" ] ||
      { echo 'the kernel does not keep a quota of processors'; return; }
  fi
  (
    echo "$BASHPID" >"$group/cgroup.procs" || exit
    exec timeout 2 sh -c 'while :; do :; done'
  ) 2>/dev/null || true
  grep -q '^nr_throttled [1-9]' "$group/cpu.stat" 2>/dev/null ||
    echo 'the kernel keeps a quota of processors and throttles nothing'
}

# A process that fills four times what it may have is killed.
unlimited_memory() {
  local group=$1 limit=$((64 << 20)) file=memory.max
  [ -e "$group/$file" ] || file=memory.limit_in_bytes
  echo $limit 2>/dev/null >"$group/$file" || true
  [ "$(cat "$group/$file" 2>/dev/null)" = $limit ] || { echo 'the kernel does not keep a limit of memory'; return; }
  # The shell itself would tell of the killed process.
  if { (
    echo 0 2>/dev/null >"$group/memory.swap.max" || true
    echo "$BASHPID" >"$group/cgroup.procs" || exit 1
    exec dd if=/dev/zero of=/dev/null bs=256M count=1
  ); } >/dev/null 2>&1; then echo 'the kernel keeps a limit of memory and lets processes exceed it'; fi
}
