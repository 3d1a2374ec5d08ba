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
          // A page, and a copy, for a file or a program, which they never write to a terminal.
          "page.UiCommand",
          "copy.TransferCommand",
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

  /**
   * Who may give a program a stream of this process, and with what: what the program writes there
   * reaches the terminal as it is. All others tell its lines through {@code ErrorLines}.
   */
  private static final Set<String> RAW =
      Set.of(
          // A shell, or what else a user runs on a machine, is meant raw: a terminal is its
          // purpose.
          "session.ForegroundProcess.run",
          // stty, which reads the terminal's settings and sets them.
          "session.Terminal.settings",
          "session.Terminal.restore",
          "Main.width",
          // The laptop cloud, whose words are Mayfly's own; its machines write to files.
          "local.LocalCloudLauncher.foreground",
          // A function's runtime instead of this one; no terminal is there.
          "dev.mayfly.functions.start.BundledRuntime.start",
          // Fixtures and measurements, on programs of their own.
          "dev.mayfly.porttests.RandomTree.run",
          "dev.mayfly.bench.agents.ColdRuns.one",
          "dev.mayfly.bench.ColdMessageBenchmark.run");

  @Test
  void onlyTheseGiveAwayTheTerminal() {
    var inherited =
        ProductionClasses.CLASSES.stream()
            .flatMap(type -> type.getAccessesFromSelf().stream())
            .filter(TerminalRulesTest::inherits)
            .map(access -> origin(access) + "." + access.getOrigin().getName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(inherited).isEqualTo(new TreeSet<>(RAW));
  }

  private static boolean inherits(JavaAccess<?> access) {
    return access.getTargetOwner().getName().startsWith("java.lang.ProcessBuilder")
        && Set.of("inheritIO", "INHERIT").contains(access.getTarget().getName());
  }

  private static String origin(JavaAccess<?> access) {
    return access.getOriginOwner().getName().replace(CLI, "");
  }
}
