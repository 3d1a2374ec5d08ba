package dev.mayfly.arch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be seen in the source files only. */
class SourceRulesTest {
  private static final int LONGEST = 300;

  @Test
  void noFileIsTooLongToReadAtOnce() throws IOException {
    assertThat(sources()).isNotEmpty();
    assertThat(sources().stream().filter(file -> lines(file).size() > LONGEST))
        .as("files of more than %d lines", LONGEST)
        .isEmpty();
  }

  /** Every Java file of every module; a test's working folder is its module's. */
  private static List<Path> sources() throws IOException {
    var root = Path.of("").toAbsolutePath().getParent();
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(SourceRulesTest::javaFiles)
          .toList();
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(it -> it.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
