package dev.mayfly.cli.image;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Under which names an image is pushed, and by what. */
final class ImageTarget {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "CLUSTER.yaml",
      description = "A cluster's file: its image, mirrors, zones and pools count.")
  @Nullable Path file;

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in the cluster's file.")
  List<String> variables = new ArrayList<>();

  @Option(
      names = "--region",
      paramLabel = "REGION",
      description = "Regions of the copies, instead of all that the file says.")
  List<String> regions = new ArrayList<>();

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = ImageEngine.Kinds.class,
      description = "podman, docker or cloud-build; default: podman, else docker.")
  ImageEngine.@Nullable Kind engine;

  @Option(
      names = "--pin",
      description = "Writes the digest beside the image into the cluster's file.")
  boolean pin;

  @Option(names = "--dry-run", description = "Prints the commands and runs none.")
  boolean dryRun;

  Optional<ImageEngine.Kind> engine() {
    return Optional.ofNullable(engine);
  }

  /** The cluster of the file; empty without a file. */
  Optional<ClusterSpec> cluster() {
    if (file == null) {
      if (pin) throw CommandException.input("--pin writes into a cluster's file; name it with -f");
      return Optional.empty();
    }
    var name = file.toString();
    var values = DocumentFile.variables(variables, "--var ");
    DocumentFile.checkVariables(values, List.of(name));
    var clusters =
        UserDocuments.parse(DocumentFile.bytes(name), name, values).stream()
            .flatMap(d ->
                d.command() instanceof UserCommand.ApplyCluster apply
                    ? java.util.stream.Stream.of(apply.spec())
                    : java.util.stream.Stream.empty())
            .toList();
    if (clusters.size() != 1)
      throw CommandException.input(
          "%s has %d clusters, and one is needed; put each into a file of its own"
              .formatted(name, clusters.size()));
    return Optional.of(clusters.getFirst());
  }

  /** Writes the digest into the cluster's file, whole or not at all. */
  void writePin(String image, String digest) {
    if (!pin || file == null) return;
    var name = file.toString();
    var text = new String(DocumentFile.bytes(name), StandardCharsets.UTF_8);
    var pinned = ClusterImagePin.write(text, name, image, digest);
    try {
      var target = file.toAbsolutePath();
      var beside = Files.createTempFile(target.getParent(), "mayfly", ".yaml");
      try {
        Files.writeString(beside, pinned);
        Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(target));
        Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw CommandException.input(
          "%s cannot be written: %s; the digest is %s".formatted(name, e, digest), e);
    }
  }
}
