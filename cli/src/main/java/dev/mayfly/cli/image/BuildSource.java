package dev.mayfly.cli.image;

import static java.util.Objects.requireNonNull;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.core.catalog.CudaVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an image is built from: a Dockerfile and the folder whose files it may copy. For a recipe
 * both are temporary and go with {@link #close}.
 *
 * @param temporary a folder of its own
 * @param cuda the version that the image has, as far as it is known
 */
record BuildSource(
    Path dockerfile, Path context, String text, Path temporary, Optional<CudaVersion> cuda)
    implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("image.yaml", "image.yml", "Dockerfile", "Containerfile");

  private static final Pattern FROM =
      Pattern.compile("(?mi)^FROM\\s+\\S*nvidia/cuda:(\\d+\\.\\d+)");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** Throws {@link CommandException} if there is nothing to build from. */
  static BuildSource of(Path path) throws IOException {
    var file = Files.isDirectory(path) ? inFolder(path) : path;
    var bytes = DocumentFile.bytes(file.toString());
    var folder = Files.createTempDirectory("mayfly-image");
    try {
      return file.toString().matches(".*[.](ya?ml|json)")
          ? ofRecipe(RecipeReader.read(bytes, file.toString()), file, folder)
          : ofDockerfile(file, new String(bytes, StandardCharsets.UTF_8), folder);
    } catch (RuntimeException | IOException e) {
      LocalFolders.delete(folder);
      throw e;
    }
  }

  private static Path inFolder(Path folder) {
    return NAMES.stream()
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(() ->
            CommandException.input(
                "%s has neither image.yaml nor Dockerfile; write one, for example image.yaml with cuda: \"12.4\" and pip: [torch]"
                    .formatted(folder)));
  }

  private static BuildSource ofDockerfile(Path file, String text, Path temporary) {
    var name = file.getFileName().toString();
    if (!PLAIN.matcher(name).matches())
      throw CommandException.input(
          "the name '%s' has more than letters, digits, '.', '-' and '_'; rename it"
              .formatted(name));
    var whole = file.toAbsolutePath().normalize();
    var found = FROM.matcher(text).results().map(m -> m.group(1)).reduce((_, last) -> last);
    // A file's whole path has a folder.
    var folder = requireNonNull(whole.getParent());
    return new BuildSource(whole, folder, text, temporary, found.flatMap(CudaVersion::of));
  }

  private static BuildSource ofRecipe(ImageRecipe recipe, Path file, Path temporary)
      throws IOException {
    var text = recipe.dockerfile();
    var context = Files.createDirectory(temporary.resolve("context"));
    var dockerfile = Files.writeString(context.resolve("Dockerfile"), text);
    if (recipe.requirements().isPresent()) {
      var name = recipe.requirements().get();
      var source = file.toAbsolutePath().resolveSibling(name);
      if (!Files.isRegularFile(source))
        throw CommandException.input(
            "%s: requirements: there is no file %s; write it, or leave it out"
                .formatted(file, source));
      Files.createDirectories(context.resolve(name).getParent());
      Files.copy(source, context.resolve(name));
    }
    return new BuildSource(dockerfile, context, text, temporary, recipe.cuda());
  }

  /** The Dockerfile in its context. */
  String relative() {
    return context.relativize(dockerfile).toString();
  }

  /** Writes Cloud Build's order beside the context. */
  Path config(String json) throws IOException {
    return Files.writeString(temporary.resolve("cloudbuild.json"), json);
  }

  @Override
  public void close() throws IOException {
    LocalFolders.delete(temporary);
  }
}
