package dev.mayfly.cli.demo;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Injects faults into the demo's control plane while the job runs: twice per function for each
 * kind, and then no more. On a busy machine a function may start more slowly than it is killed, so
 * unlimited faults could block the demo for ever.
 */
public final class DemoControlPlaneFaults {
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final int MAX_FAULTS_A_KIND = 16;

  private final CliContext cliContext;
  private final List<Kind> kinds;
  private Instant last = Instant.EPOCH;
  private int done;

  private DemoControlPlaneFaults(CliContext cliContext, List<Kind> kinds) {
    this.cliContext = cliContext;
    this.kinds = kinds;
  }

  /** The kind of fault. */
  private enum Kind {
    KILL("kill-functions", "functions/kill", "kill -9 of function "),
    DROP("drop-connections", "connections/drop", "cut connections of functions and emulators: ");

    final String name;
    final String faultControl;
    final String told;

    Kind(String name, String faultControl, String told) {
      this.name = name;
      this.faultControl = faultControl;
      this.told = told;
    }
  }

  /** Refuses an unknown name, and any name without emulators. */
  public static Optional<DemoControlPlaneFaults> of(
      CliContext cliContext, List<String> names, boolean emulators) {
    if (names.isEmpty()) return Optional.empty();
    if (!emulators) throw CommandException.input("--trouble requires --emulators");
    return Optional.of(
        new DemoControlPlaneFaults(
            cliContext, names.stream().map(DemoControlPlaneFaults::kind).distinct().toList()));
  }

  private static Kind kind(String name) {
    for (var kind : Kind.values()) if (kind.name.equals(name)) return kind;
    throw CommandException.input(
        "--trouble is '" + name + "'; it must be kill-functions, drop-connections, or both");
  }

  void injectIfDue(ProgressDisplay progressDisplay) {
    var now = cliContext.now();
    if (done == MAX_FAULTS_A_KIND * kinds.size() || now.isBefore(last.plus(EVERY))) return;
    last = now;
    var kind = kinds.get(done++ % kinds.size());
    var control = cliContext.endpoints().api().replaceFirst("/api$", "");
    try {
      var reply = cliContext.http().post(control + "/_sim/" + kind.faultControl, new byte[0]);
      progressDisplay.say("! " + kind.told + reply.text());
    } catch (UnavailableException later) {
      progressDisplay.say(later.getMessage());
    }
  }
}
