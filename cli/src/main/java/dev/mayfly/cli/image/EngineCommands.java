package dev.mayfly.cli.image;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The orders for an {@link ImageEngine}, as arguments that no shell reads.
 *
 * @param project of Cloud Build; by default gcloud's own
 */
record EngineCommands(ImageEngine engine, Optional<String> project) {
  /** Workers have x86-64 processors, whatever this computer has. */
  private static final String PLATFORM = "linux/amd64";

  /**
   * Builds the image under all names.
   *
   * @param dockerfile in {@code context} or elsewhere
   */
  List<String> build(Path dockerfile, Path context, List<String> names) {
    var line = new ArrayList<>(List.of(engine.program(), "build", "--platform=" + PLATFORM));
    line.add("--file=" + dockerfile);
    names.forEach(name -> line.add("--tag=" + name));
    line.add(context.toString());
    return line;
  }

  List<String> tag(String name, String other) {
    return List.of(engine.program(), "tag", name, other);
  }

  /**
   * Pushes one name.
   *
   * @param digest receives podman's digest; docker prints it
   */
  List<String> push(String name, Path digest) {
    return engine.kind() == ImageEngine.Kind.podman
        ? List.of(engine.program(), "push", "--digestfile=" + digest, name)
        : List.of(engine.program(), "push", name);
  }

  /** Builds and pushes in Cloud Build, as the file {@code config} says. */
  List<String> submit(Path context, Path config, Optional<String> region) {
    var line = new ArrayList<>(List.of(engine.program(), "builds", "submit", context.toString()));
    line.add("--config=" + config);
    region.ifPresent(r -> line.add("--region=" + r));
    addProject(line);
    return line;
  }

  /** Prints the digest of an image in Artifact Registry. */
  List<String> digest(String name) {
    var line =
        new ArrayList<>(
            List.of(engine.program(), "artifacts", "docker", "images", "describe", name));
    line.add("--format=value(image_summary.digest)");
    addProject(line);
    return line;
  }

  private void addProject(List<String> line) {
    project.ifPresent(p -> line.add("--project=" + p));
    line.add("--quiet");
  }

  /**
   * Cloud Build's order: one step that builds, and the images to push.
   *
   * @param dockerfile relative to the context
   */
  static String cloudBuild(String dockerfile, List<String> names) {
    var words =
        Stream.of(
                Stream.of("build", "--platform=" + PLATFORM, "--file=" + dockerfile),
                names.stream().map(name -> "--tag=" + name),
                Stream.of("."))
            .flatMap(s -> s);
    return """
    {"steps": [{"name": "gcr.io/cloud-builders/docker", "args": %s}], "images": %s}
    """
        .formatted(array(words), array(names.stream()));
  }

  /** Names of images and checked file names have nothing that JSON would escape. */
  private static String array(Stream<String> words) {
    return words.map(word -> '"' + word + '"').collect(Collectors.joining(", ", "[", "]"));
  }
}
