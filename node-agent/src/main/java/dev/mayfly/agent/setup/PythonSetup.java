package dev.mayfly.agent.setup;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.util.List;

/** Makes a Python environment: by uv, which fetches interpreters too, or by venv and pip. */
public final class PythonSetup {
  /** Its arguments are the file of requirements and the version; either may be empty. */
  private static final String SCRIPT =
      """
      requirements=$1 version=$2
      if command -v uv >/dev/null 2>&1; then
        # The interpreter lies inside, so that the folder needs nothing else of the machine.
        export UV_PYTHON_INSTALL_DIR="${UV_PYTHON_INSTALL_DIR:-$MAYFLY_SETUP/.python}"
        export UV_CACHE_DIR="${UV_CACHE_DIR:-$MAYFLY_CACHE/uv}"
        uv venv --relocatable --allow-existing ${version:+--python "$version"} "$MAYFLY_SETUP"
        if [ -n "$requirements" ]; then
          uv pip install --python "$MAYFLY_SETUP/bin/python" -r "$requirements"
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
