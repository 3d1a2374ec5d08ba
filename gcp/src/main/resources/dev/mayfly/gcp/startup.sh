#!/usr/bin/env bash
# Mayfly's startup script: the same bytes on every machine. What differs between machines comes from
# metadata values, which are matched against a pattern and never evaluated.
#
# Creates the users that tasks run as, keeps them from the metadata server, fetches the agent's
# bundle, verifies its checksum, unpacks it to a folder of that name, then installs and starts a
# service. Repeating it (at each boot) changes nothing that exists. Each step is a line
# "name<TAB>milliseconds<TAB>error" in /run/mayfly/boot-steps, which the agent reports.
#
# MAYFLY_ROOT moves every path below another folder and allows file:// and plain http on loopback.
set -uo pipefail
umask 022
LC_ALL=C; export LC_ALL
PATH=$PATH:/usr/sbin:/sbin

root=${MAYFLY_ROOT:-}
metadata="http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1"
storage=${MAYFLY_STORAGE_ENDPOINT:-https://storage.googleapis.com}
versions=$root/opt/mayfly/versions
steps=$root/run/mayfly/boot-steps
unit=$root/etc/systemd/system/mayfly-agent.service
why=$root/run/mayfly/why

millis() { local t=${EPOCHREALTIME/[.,]/}; echo "${t%???}"; }

# Removes tabs and line ends, which would forge another field or line.
plain() { tr -d '\000-\037\177' <<<"$1" | cut -c 1-300; }

fail() { plain "$1" >"$why"; return 1; }

# Runs a step and records its time and error; a failed step ends the script.
step() {
  local name=$1 begin error='' code=0
  shift
  begin=$(millis)
  rm -f "$why"
  "$@" || code=$?
  if [ "$code" -ne 0 ]; then
    error=$(cat "$why" 2>/dev/null || true)
    error=${error:-"failed with code $code"}
  fi
  printf '%s\t%s\t%s\n' "$name" "$(($(millis) - begin))" "$error" >>"$steps"
  [ "$code" -eq 0 ] && return 0
  echo "mayfly: boot step $name failed: $error" >&2
  exit 1
}

# Reads an attribute; a missing one is empty.
attribute() {
  curl --silent --fail --noproxy '*' --max-time 10 --retry 5 --retry-connrefused \
    -H 'Metadata-Flavor: Google' "$metadata/instance/attributes/$1" || true
}

token() {
  curl --silent --fail --noproxy '*' --max-time 10 --retry 5 --retry-connrefused \
    -H 'Metadata-Flavor: Google' "$metadata/instance/service-accounts/default/token" |
    sed -n 's/.*"access_token" *: *"\([A-Za-z0-9._~+/=-]*\)".*/\1/p'
}

read_orders() {
  bundle_url=$(attribute mayfly-bundle-url)
  bundle_sha=$(attribute mayfly-bundle-sha256)
  [[ $bundle_sha =~ ^[0-9a-f]{64}$ ]] ||
    fail 'metadata value mayfly-bundle-sha256 is not 64 hex digits; it comes with the machine'
}

# Passes the token to curl on standard input, because everyone can read arguments.
download() {
  local url=$1 file=$2 bearer=$3
  { [ -z "$bearer" ] || printf 'header = "Authorization: Bearer %s"\n' "$bearer"; } |
    curl --silent --show-error --fail --config - --proto '=https,http,file' --max-time 300 \
      --retry 5 --retry-connrefused --output "$file" -- "$url" 2>"$why"
}

# Sets $url and $bearer if the bundle's URL is of an accepted form.
source_of() {
  local name
  bearer=''
  if [[ $1 =~ ^gs://([a-z0-9][a-z0-9._-]{1,220})/([A-Za-z0-9._/-]{1,900})$ ]]; then
    name=${BASH_REMATCH[2]//\//%2F}
    url="$storage/storage/v1/b/${BASH_REMATCH[1]}/o/$name?alt=media"
    bearer=$(token)
  elif [[ $1 =~ ^https://[A-Za-z0-9.-]+(:[0-9]+)?/[A-Za-z0-9._/%~-]*$ ]]; then
    url=$1
  elif [ -n "$root" ] &&
    [[ $1 =~ ^(http://127\.0\.0\.1:[0-9]+|file://)/[A-Za-z0-9._/%~-]*$ ]]; then
    url=$1
  else
    fail 'metadata value mayfly-bundle-url is none of gs://bucket/name and https://host/path'
  fi
}

# The bundle's runtime is built for one architecture.
fits() {
  local made here
  made=$(head -c 20 "$1/architecture" 2>/dev/null || true)
  here=$(uname -m)
  [ -z "$made" ] || [ "$made" = "$here" ] ||
    fail "the agent's bundle is for $made and this machine is $here: take another machine type"
}

fetch() {
  local url bearer sum fresh=$versions/.$bundle_sha.$$
  [ -d "$versions/$bundle_sha" ] && return 0
  source_of "$bundle_url" || return 1
  rm -rf "$versions"/.[!.]*
  mkdir -p "$fresh"
  download "$url" "$fresh.tar.gz" "$bearer" || return 1
  sum=$(sha256sum "$fresh.tar.gz") && sum=${sum%% *}
  if [ "$sum" != "$bundle_sha" ]; then
    rm -rf "$fresh" "$fresh.tar.gz"
    fail "the bundle's SHA-256 is $sum and not $bundle_sha: it was not unpacked"
    return 1
  fi
  tar --extract --gzip --no-same-owner --file "$fresh.tar.gz" --directory "$fresh" 2>"$why" || return 1
  rm -f "$fresh.tar.gz"
  fits "$fresh" || { rm -rf "$fresh"; return 1; }
  mv -T "$fresh" "$versions/$bundle_sha"
}

# Creates a user for tasks with the same uid on every machine, because shared volumes store uids.
user() {
  local name=$1 number=$2 now
  now=$(id -u "$name" 2>/dev/null || true)
  [ "$now" = "$number" ] && return 0
  [ -z "$now" ] || { fail "user $name has the number $now and not $number"; return 1; }
  useradd --system --uid "$number" --gid mayfly-tasks --home-dir "/home/$name" --create-home \
    --shell /usr/sbin/nologin "$name" 2>"$why"
}

# Tasks run as mayfly-task, which the guard keeps from the metadata server, or as mayfly-cloud if
# their cluster allows access to it.
make_users() {
  getent group mayfly-tasks >/dev/null || groupadd --system --gid 47000 mayfly-tasks 2>"$why" || return 1
  user mayfly-task 47001 && user mayfly-cloud 47002
}

# Rules disappear at a reboot, and the service starts before this script, so it runs the guard
# itself.
guard() {
  cat <<'GUARD'
#!/bin/sh
# Keeps user mayfly-task (47001) and containers on networks of their own from the metadata server,
# all but its name server, and lets the tasks' group at accelerators.
PATH=$PATH:/usr/sbin:/sbin
for device in /dev/accel* /dev/accel/* /dev/vfio/*; do
  if [ -c "$device" ]; then chgrp mayfly-tasks "$device" && chmod g+rw "$device"; fi
done
if command -v nft >/dev/null; then
  exec nft -f - <<'RULES'
table inet mayfly
delete table inet mayfly
table inet mayfly {
  chain tasks {
    type filter hook output priority 0; policy accept;
    meta skuid 47001 ip daddr 169.254.169.254 meta l4proto { tcp, udp } th dport != 53 reject
    meta skuid 47001 ip6 daddr fd20:ce::254 meta l4proto { tcp, udp } th dport != 53 reject
  }
  chain containers {
    type filter hook forward priority -10; policy accept;
    ip daddr 169.254.169.254 meta l4proto { tcp, udp } th dport != 53 reject
    ip6 daddr fd20:ce::254 meta l4proto { tcp, udp } th dport != 53 reject
  }
}
RULES
fi
command -v iptables >/dev/null || { echo 'neither nft nor iptables is here: tasks reach the metadata server' >&2; exit 1; }
rule() { iptables -w -t mangle -C "$@" 2>/dev/null || iptables -w -t mangle -I "$@"; }
for kind in tcp udp; do
  rule OUTPUT -d 169.254.169.254 -m owner --uid-owner 47001 -p "$kind" ! --dport 53 -j DROP || exit 1
  rule FORWARD -d 169.254.169.254 -p "$kind" ! --dport 53 -j DROP || exit 1
done
GUARD
}

# Runs when the service ends. Status 42 means that the control plane was unreachable for so long
# that the machine must power off; an unreachable network file system must not delay that.
power_off() {
  cat <<'POWER'
#!/bin/sh
[ "${EXIT_STATUS:-}" = 42 ] || exit 0
while read -r _ where kind _; do
  case $kind in
    nfs | nfs4 | fuse.gcsfuse) timeout -s KILL 5 umount -i -c -f -l "$where" & ;;
  esac
done <"${MAYFLY_MOUNTS:-/proc/mounts}"
exec systemctl --no-block poweroff
POWER
}

# Limits every shutdown, including the cloud's with its notice, to one minute.
bounded() {
  cat <<'DROPIN'
[Unit]
JobTimeoutSec=60
JobTimeoutAction=poweroff-immediate
DROPIN
}

# Writes a function's output to a file, atomically.
put() { # put MODE FILE FUNCTION
  mkdir -p "$(dirname "$2")" && "$3" >"$2.new" && chmod "$1" "$2.new" && mv -T "$2.new" "$2"
}

# If no rule can be set, the agent detects it by testing, and its worker reports it.
protect() {
  put 755 "$root/opt/mayfly/guard" guard || return 1
  "$root/opt/mayfly/guard" 2>"$why" || plain "$(cat "$why")" >&2
}

# The service is constant too: it starts the version that "current" points to.
service() {
  cat <<'UNIT'
[Unit]
Description=Mayfly node agent
# What tasks use ends after them: names, volumes, containers.
After=network-online.target nss-lookup.target remote-fs.target docker.service
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStartPre=-/opt/mayfly/guard
ExecStart=/opt/mayfly/current/bin/agent
# Programs that come as snaps too: gcloud on the images of TPUs is one.
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin
# Java reads and writes names of files in the character set of its locale; images name one or none.
Environment=LC_CTYPE=C.UTF-8
Environment=MAYFLY_BOOT_STEPS=/run/mayfly/boot-steps
Environment=MAYFLY_TASK_USER=mayfly-task
Environment=MAYFLY_METADATA_USER=mayfly-cloud
# The machine is Mayfly's own: the agent may install what its cluster needs and its image lacks.
Environment=MAYFLY_INSTALLS=yes
Restart=always
RestartSec=1
RestartPreventExitStatus=42
SuccessExitStatus=42
# The agent's own tasks end with it; its next start kills what got away.
KillMode=mixed
TimeoutStopSec=40
# Tasks are put back to 0: it is they that should die when memory ends.
OOMScoreAdjust=-900
LimitNOFILE=1048576
# TPUs and GPUs are given memory that stays where it is.
LimitMEMLOCK=infinity
TasksMax=infinity
Delegate=yes
# Before what is left of it is killed, and once more after: a task that hangs must not hold it up.
ExecStop=-/opt/mayfly/power-off
ExecStopPost=-/opt/mayfly/power-off

[Install]
WantedBy=multi-user.target
UNIT
}

install_service() {
  local before
  before=$(readlink "$root/opt/mayfly/current" || true)
  [ -x "$versions/$bundle_sha/bin/agent" ] || { fail 'the bundle has no program bin/agent'; return 1; }
  ln -sfnT "versions/$bundle_sha" "$root/opt/mayfly/current" || return 1
  put 755 "$root/opt/mayfly/power-off" power_off || return 1
  put 644 "$root/etc/systemd/system/poweroff.target.d/mayfly.conf" bounded || return 1
  put 644 "$unit" service || return 1
  systemctl daemon-reload 2>"$why" && systemctl enable mayfly-agent.service 2>"$why" || return 1
  if [ -n "$before" ] && [ "$before" != "versions/$bundle_sha" ]; then
    systemctl restart mayfly-agent.service 2>"$why"
  else
    systemctl start mayfly-agent.service 2>"$why"
  fi
}

mkdir -p "$versions" "$(dirname "$steps")"
: >"$steps"
bundle_url='' bundle_sha=''
step metadata read_orders
step users make_users
step guard protect
step runtime fetch
step service install_service
