package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules about the text of source files. */
class SourceRulesTest {
  private static final int LONGEST = 300;
  private static final Pattern START = Pattern.compile("\\{@link|Start with");
  private static final Pattern PREFIX =
      Pattern.compile("\"(unfit|preparing|degraded|not enforced): ");

  @Test
  void noFileIsTooLongToReadAtOnce() throws IOException {
    var sources = Sources.all();

    assertThat(sources).isNotEmpty();
    assertThat(sources.stream().filter(it -> lines(it) > LONGEST))
        .as("files of more than %d lines", LONGEST)
        .isEmpty();
  }

  @Test
  void everyPackageSaysWhereToStart() throws IOException {
    var packages =
        Sources.all().stream()
            .filter(it -> it.isPackageInfo() && it.path().toString().contains("/main/"));

    assertThat(packages.filter(it -> !START.matcher(it.text()).find()).map(Sources.Source::folder))
        .as("packages whose package-info.java names no type to begin with")
        .isEmpty();
  }

  /** Whoever reads a kind from a text's beginning breaks when the words for people change. */
  @Test
  void problemsKindIsNoPrefixOfAText() throws IOException {
    var product = Sources.all().stream().filter(it -> it.path().toString().contains("/main/"));

    assertThat(product.filter(it -> PREFIX.matcher(it.text()).find()).map(Sources.Source::type))
        .as("MachineProblem.Kind says it, and the reader of earlier forms")
        .containsExactlyInAnyOrder("MachineProblem", "EarlierForms");
  }

  /** Lines without imports. */
  private static long lines(Sources.Source source) {
    return source.lines().stream().filter(it -> !it.startsWith("import ")).count();
  }
}
