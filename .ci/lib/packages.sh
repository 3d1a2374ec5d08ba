# Sourced by checks that need more than Mayfly itself: installs Debian packages where that can be done, and starts no
# service of theirs.

# lacking PROGRAM=PACKAGE…: the packages whose programs (or files) are not here.
lacking() {
  local pair
  for pair in "$@"; do
    case ${pair%%=*} in
      /*) [ -e "${pair%%=*}" ] || echo "${pair#*=}" ;;
      *) PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%=*}" >/dev/null || echo "${pair#*=}" ;;
    esac
  done
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y -qq --no-install-recommends "$@" \
    >"${TMPDIR:-/tmp}/mayfly-apt.log" 2>&1
}

# install_lacking PROGRAM=PACKAGE…: false with one line that says why where something is not here and can't be had.
install_lacking() {
  local packages policy=/usr/sbin/policy-rc.d made= code=0
  mapfile -t packages < <(lacking "$@" | sort -u)
  [ ${#packages[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "needs ${packages[*]}, which only root on Debian installs here; install them and run it again"
    return 1
  fi
  echo "installing ${packages[*]}" >&2
  # What a package brings as a service is not to run here.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    made=yes
  fi
  { [ -n "$(ls /var/lib/apt/lists 2>/dev/null | grep Packages)" ] || apt-get update -qq; } >/dev/null 2>&1 || code=$?
  # Lists of some days ago name packages that are no longer there.
  apt_install "${packages[@]}" || { apt-get update -qq >/dev/null 2>&1 && apt_install "${packages[@]}"; } || code=$?
  [ -z "$made" ] || rm -f "$policy"
  mapfile -t packages < <(lacking "$@" | sort -u)
  [ ${#packages[@]} -gt 0 ] || return 0
  echo "needs ${packages[*]}, and apt-get could not install them: $(tail -n 1 "${TMPDIR:-/tmp}/mayfly-apt.log")"
  return 1
}
