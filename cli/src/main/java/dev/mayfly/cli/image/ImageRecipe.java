package dev.mayfly.cli.image;

import dev.mayfly.core.catalog.CudaVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A short description of a container image, from which a Dockerfile is written.
 *
 * @param base the image to begin with; by default NVIDIA's with the CUDA version, else Python's
 * @param cuda the version of CUDA that the image has
 * @param python the version of the interpreter
 * @param apt packages of the distribution
 * @param pip packages of PyPI, as pip reads them
 * @param requirements a file beside the recipe that lists more of these
 */
record ImageRecipe(
    Optional<String> base,
    Optional<CudaVersion> cuda,
    Optional<String> python,
    List<String> apt,
    List<String> pip,
    Optional<String> requirements) {
  /** The label with the CUDA version of an image. */
  static final String CUDA_LABEL = "dev.mayfly.cuda";

  private static final String PYTHON = "3.12";

  /** A minor version of uv, which installs interpreters that a distribution does not have. */
  private static final String UV = "ghcr.io/astral-sh/uv:0.8";

  ImageRecipe {
    apt = List.copyOf(apt);
    pip = List.copyOf(pip);
  }

  /** The image that it begins with. */
  String from() {
    return base.or(() -> cuda.map(CudaVersion::base))
        .orElseGet(() -> "python:" + python.orElse(PYTHON) + "-slim");
  }

  /** Its Dockerfile. Only what no shell can read otherwise is on a line for the shell. */
  String dockerfile() {
    var lines = new ArrayList<String>();
    lines.add("FROM " + from());
    cuda.ifPresent(c -> lines.add("LABEL " + CUDA_LABEL + "=\"" + c.version() + "\""));
    if (!apt.isEmpty())
      lines.add(
          "RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y"
              + " --no-install-recommends "
              + String.join(" ", apt)
              + " && rm -rf /var/lib/apt/lists/*");
    var installer = interpreter(lines);
    requirements.ifPresent(file -> {
      lines.add("COPY " + array(List.of(file, "/tmp/requirements.txt")));
      lines.add("RUN " + array(added(installer, List.of("-r", "/tmp/requirements.txt"))));
    });
    if (!pip.isEmpty()) lines.add("RUN " + array(added(installer, pip)));
    return String.join("\n", lines) + "\n";
  }

  /** Adds the interpreter unless the base has it; returns the command that installs packages. */
  private List<String> interpreter(List<String> lines) {
    var wanted =
        base.isPresent()
            ? python
            : cuda.isPresent() ? Optional.of(python.orElse(PYTHON)) : Optional.<String>empty();
    if (wanted.isEmpty()) return List.of("python3", "-m", "pip", "install", "--no-cache-dir", "--");
    lines.add("COPY --from=" + UV + " /uv /usr/local/bin/uv");
    lines.add("ENV UV_PYTHON_INSTALL_DIR=/opt/uv UV_LINK_MODE=copy VIRTUAL_ENV=/opt/python");
    lines.add("RUN " + array(List.of("uv", "venv", "--python", wanted.get(), "/opt/python")));
    lines.add("ENV PATH=/opt/python/bin:$PATH");
    return List.of("uv", "pip", "install", "--no-cache", "--");
  }

  private static List<String> added(List<String> command, List<String> arguments) {
    var all = new ArrayList<>(command);
    // An option is no package.
    if (arguments.getFirst().startsWith("-")) all.removeLast();
    all.addAll(arguments);
    return all;
  }

  /** The form that is started without a shell. */
  private static String array(List<String> words) {
    return words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", ", "[", "]"));
  }
}
