# Sourced by scripts whose machines of a laptop cloud mount a file system: a folder in memory stands where the server's
# export is to be, under its name, so that agents find it mounted. It is seen by the script and what it starts alone, and
# ends with them.

# in_own_namespace SCRIPT ARGUMENT…: starts the script again in a mount namespace of its own, where that can be had.
# $own_mounts says whether it is in one.
in_own_namespace() {
  own_mounts=${own_mounts:-}
  [ -z "$own_mounts" ] || return 0
  local how
  for how in --mount '--map-root-user --mount'; do
    # shellcheck disable=SC2086 # options
    if unshare $how mount -t tmpfs probe /mnt 2>/dev/null; then own_mounts=yes exec unshare $how "$@"; fi
  done
  own_mounts=no
  export own_mounts
  echo "$(basename "$1"): this computer gives no mount namespace; a plain folder stands for the volume"
}

# pretend_volume SOURCE PATH: mounted as if SOURCE were. PATH is below /mnt, which is hidden from this script only.
pretend_volume() {
  mountpoint -q /mnt || mount -t tmpfs -o mode=755 hidden /mnt
  mkdir -p "$2"
  mount -t tmpfs -o size=64m "$1" "$2"
}
