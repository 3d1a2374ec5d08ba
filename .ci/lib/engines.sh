# Sourced by checks that use engines from PyPI.

# What a Python lab has installed: several checks share this environment, and none changes it. 1.5 GB.
lab=('ray[default,tune]==2.60.0' cloudpickle==3.1.3 optuna==4.6.0 jax==0.10.2 google-cloud-storage==3.17.1 nbclient==0.11.0 ipykernel==7.4.0
  uv==0.13.9)

# What the Python client needs beside Python.
client=(cloudpickle==3.1.3)

# What the quicker checks of .ci/run need of it. 200 MB.
few=(cloudpickle==3.1.3 joblib==1.6.0 optuna==4.6.0 google-cloud-storage==3.17.1 mypy==2.4.1 ruff==0.17.6 uv==0.13.9)

# engines NAME PACKAGE…: a virtual environment with these packages, made once for each such list; its folder is in
# $engines. False with one line where PyPI is not reached, except in CI: the network is needed the first time. Checks that
# run at once wait for the one that makes it.
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
    not_reached "$log" "$*"
    return 1
  fi
  echo "$wanted" >"$engines/ready"
}

# on_pypi PACKAGE: whether machines of this laptop can install it; false with one line where PyPI is not reached.
on_pypi() {
  local place=$MAYFLY_HOME/on-pypi
  python3 -m venv "$place"
  "$place/bin/pip" download -q --disable-pip-version-check --no-deps -d "$place" "$1" >"$place.log" 2>&1 ||
    { not_reached "$place.log" "$1"; return 1; }
}

# not_reached LOG PACKAGES: why pip failed is that it reached nothing, or this is a failure.
not_reached() {
  grep -qiE 'connection|resolution|timed out|unreachable' "$1" || { cat "$1"; fail "pip could not install $2"; }
  [ "${CI:-}" != true ] || fail "pip could not install $2, which CI wants: $(tail -n 1 "$1")"
  echo "SKIPPED: $2: PyPI is not reached: $(tail -n 1 "$1")"
}
