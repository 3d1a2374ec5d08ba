package dev.mayfly.cli.image;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.session.LocalProgram;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What builds images.
 *
 * @param program its path
 */
record ImageEngine(Kind kind, String program) {
  enum Kind {
    podman,
    docker,
    cloud_build;

    @Override
    public String toString() {
      return name().replace('_', '-');
    }

    private String programName() {
      return this == cloud_build ? "gcloud" : name();
    }
  }

  /** What the names of {@code --engine} are. */
  static final class Kinds implements picocli.CommandLine.ITypeConverter<Kind> {
    @Override
    public Kind convert(String word) {
      for (var kind : Kind.values()) if (kind.toString().equals(word)) return kind;
      throw new picocli.CommandLine.TypeConversionException(
          "'" + word + "' is none of podman, docker, cloud-build");
    }
  }

  /** The wanted engine, else podman or docker. Throws if it is not on the PATH. */
  static ImageEngine of(Optional<Kind> wanted, Map<String, String> env) {
    var kinds = wanted.map(List::of).orElse(List.of(Kind.podman, Kind.docker));
    for (var kind : kinds) {
      var program = LocalProgram.find(env, kind.programName());
      if (program.isPresent()) return new ImageEngine(kind, program.get());
    }
    throw CommandException.input(
        wanted
            .map(kind ->
                "%s is not on the PATH; install it, or take another --engine"
                    .formatted(kind.programName()))
            .orElse(
                "neither podman nor docker is on the PATH; install one, or build in the cloud: --engine cloud-build"));
  }

  boolean inCloud() {
    return kind == Kind.cloud_build;
  }
}
