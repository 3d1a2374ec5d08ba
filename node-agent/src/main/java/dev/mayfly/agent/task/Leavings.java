package dev.mayfly.agent.task;

import dev.mayfly.core.agent.Left;
import dev.mayfly.core.port.Objects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;

/** Reads what a task left at its output file. Links are not followed: they could lead anywhere. */
final class Leavings {
  private Leavings() {}

  static Left at(Path output) throws IOException {
    if (Files.isRegularFile(output, LinkOption.NOFOLLOW_LINKS)) {
      return new Left.OneFile(new FileContent(output, Files.size(output)));
    }
    if (!Files.isDirectory(output, LinkOption.NOFOLLOW_LINKS)) {
      return new Left.Nothing();
    }
    try (var files = Files.walk(output, new FileVisitOption[0])) {
      return new Left.Directory(
          files
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .map(file -> entry(output, file))
              .sorted(Comparator.comparing(Left.Entry::path))
              .toList());
    }
  }

  private static Left.Entry entry(Path root, Path file) {
    try {
      var path = root.relativize(file).toString();
      return new Left.Entry(path, new FileContent(file, Files.size(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file that nobody changes any more: its task's processes are gone. */
  private record FileContent(Path file, long size) implements Objects.Content {
    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }
}
