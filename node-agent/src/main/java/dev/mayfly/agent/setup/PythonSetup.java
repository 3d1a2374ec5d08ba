package dev.mayfly.agent.setup;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.util.List;

/**
 * Makes a Python environment: by the uv of the machine or image, else by that of the agent's
 * bundle, which fetch interpreters too, else by venv and pip.
 */
public final class PythonSetup {
  /** The variable with the uv of the agent's bundle; empty without. */
  public static final String UV = "MAYFLY_UV";

  /** The variable that says whose Python is looked for: {@code machine} or {@code image}. */
  public static final String PLACE = "MAYFLY_SETUP_PLACE";

  /** Begins the reason if a Python lacks what an environment is made with; the place follows. */
  static final String UNABLE = "mayfly: cannot make environments with the Python of this ";

  /** Its arguments are the file of requirements and the version; either may be empty. */
  private static final String SCRIPT =
      """
      requirements=$1 version=$2
      uv=$(command -v uv) || uv=${MAYFLY_UV:-}
      if [ -n "$uv" ]; then
        # The authorities of the machine or image, as pip and curl take them, and not uv's own.
        for known in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
          if [ -z "${SSL_CERT_FILE:-}" ] && [ -e "$known" ]; then export SSL_CERT_FILE="$known"; fi
        done
        # Indexes that are named for pip hold for uv too, unless it has its own.
        if [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}" ] && [ -n "${PIP_INDEX_URL:-}" ]; then
          export UV_DEFAULT_INDEX="$PIP_INDEX_URL"
        fi
        if [ -z "${UV_INDEX:-}${UV_EXTRA_INDEX_URL:-}" ] && [ -n "${PIP_EXTRA_INDEX_URL:-}" ]; then
          export UV_INDEX="$PIP_EXTRA_INDEX_URL"
        fi
        # The interpreter lies inside, so that the folder needs nothing else of the machine.
        export UV_PYTHON_INSTALL_DIR="${UV_PYTHON_INSTALL_DIR:-$MAYFLY_SETUP/.python}"
        export UV_CACHE_DIR="${UV_CACHE_DIR:-$MAYFLY_CACHE/uv}"
        "$uv" venv --relocatable --allow-existing ${version:+--python "$version"} "$MAYFLY_SETUP"
        if [ -n "$requirements" ]; then
          "$uv" pip install --python "$MAYFLY_SETUP/bin/python" -r "$requirements"
        fi
        exit 0
      fi
      export PIP_CACHE_DIR="${PIP_CACHE_DIR:-$MAYFLY_CACHE/pip}" PIP_DISABLE_PIP_VERSION_CHECK=1
      python= have=
      for name in ${version:+"python$version"} python3 python; do
        found=$(command -v "$name") || continue
        is=$("$found" -c 'import platform; print(platform.python_version())') || continue
        have="$have $is"
        case "$is." in
          ${version:+"$version".}*) python=$found; break ;;
        esac
      done
      if [ -z "$python" ]; then
        echo "mayfly: no Python ${version:-3} here, only:${have:- none}. Install uv on the machine or in the" \\
          "image, which fetches every version, or name another version or image."
        exit 1
      fi
      if ! "$python" -c 'import venv; from ensurepip import bootstrap' 2>/dev/null; then
        echo "mayfly: cannot make environments with the Python of this ${MAYFLY_SETUP_PLACE:-machine} ($python):" \\
          "it has no ensurepip. Install uv there, or python3-venv (Debian, Ubuntu), or take another image."
        exit 1
      fi
      "$python" -m venv "$MAYFLY_SETUP"
      if [ -n "$requirements" ]; then
        "$MAYFLY_SETUP/bin/python" -m pip install --no-input --progress-bar off -r "$requirements"
      fi
      """;

  private PythonSetup() {}

  /** The command of a setup that makes the environment in {@code $MAYFLY_SETUP}. */
  public static List<String> command(SetupSpec.Python python) {
    return List.of(
        "sh",
        "-eu",
        "-c",
        SCRIPT,
        "mayfly-python",
        python.requirements().orElse(""),
        python.version().orElse(""));
  }
}
