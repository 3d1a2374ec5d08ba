package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Rules about the text of source files. */
class SourceRulesTest {
  private static final int LONGEST = 300;

  @Test
  void noFileIsTooLongToReadAtOnce() throws IOException {
    var sources = Sources.all();

    assertThat(sources).isNotEmpty();
    assertThat(sources.stream().filter(it -> lines(it) > LONGEST))
        .as("files of more than %d lines", LONGEST)
        .isEmpty();
  }

  /** Lines without imports. */
  private static long lines(Sources.Source source) {
    return source.lines().stream().filter(it -> !it.startsWith("import ")).count();
  }
}
