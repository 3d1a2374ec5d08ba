package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What people and programs named reaches a terminal through one place, which takes commands out.
 */
class TerminalRulesTest {
  private static final String CLI = "dev.mayfly.cli.";

  /** Who may write to the screen's streams, and with what. */
  private static final Set<String> WRITERS =
      Set.of(
          // For picocli's pages of help, which are Mayfly's own.
          "Main",
          // Numbers of bytes.
          "copy.CopyProgress",
          // The bar; texts from elsewhere pass Screen.printable.
          "output.BarProgress$Paper");

  @Test
  void onlyTheseWriteToTheScreensStreams() {
    var screen = ProductionClasses.CLASSES.get(CLI + "output.Screen");
    var streams =
        Set.of(screen.getMethod("out"), screen.getMethod("err")).stream()
            .flatMap(stream -> stream.getAccessesToSelf().stream())
            .map(TerminalRulesTest::origin)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(streams).isEqualTo(new TreeSet<>(WRITERS));
  }

  private static String origin(JavaAccess<?> access) {
    return access.getOriginOwner().getName().replace(CLI, "");
  }
}
