# Sourced by checks that use engines from PyPI.

# What a Python lab has installed: several checks share this environment, and none changes it. 1.5 GB.
lab=('ray[default,tune]==2.60.0' optuna==4.6.0 jax==0.10.2 google-cloud-storage==3.17.1 nbclient==0.11.0 ipykernel==7.4.0
  uv==0.13.9)

# engines NAME PACKAGE…: a virtual environment with these packages, made once for each such list; its folder is in
# $engines. False with one line where PyPI is not reached: the network is needed the first time. Checks that run at
# once wait for the one that makes it.
engines() {
  local all=${MAYFLY_ENGINES:-$PWD/target/engines}
  mkdir -p "$all"
  {
    flock 8
    make_engines "$all" "$@" 8>&-
  } 8>"$all/$1.lock"
}
make_engines() { # make_engines FOLDER NAME PACKAGE…
  local all=$1 name=$2 wanted log
  shift 2
  wanted="$(python3 --version) $*"
  engines=$all/$name
  log=$engines.log
  [ "$(cat "$engines/ready" 2>/dev/null)" != "$wanted" ] || return 0
  rm -rf "$engines"
  python3 -m venv "$engines"
  if ! "$engines/bin/pip" install -q --disable-pip-version-check "$@" >"$log" 2>&1; then
    grep -qiE 'connection|resolution|timed out|unreachable' "$log" || { cat "$log"; fail "pip could not install $*"; }
    echo "SKIPPED: $name: PyPI is not reached: $(tail -n 1 "$log")"
    return 1
  fi
  echo "$wanted" >"$engines/ready"
}
