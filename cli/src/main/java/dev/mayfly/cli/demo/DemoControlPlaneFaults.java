package dev.mayfly.cli.demo;

import dev.mayfly.cli.client.FaultControlsClient;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  private final Set<Kind> injected = EnumSet.noneOf(Kind.class);
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

  /**
   * Injects the next fault, unless the last one is too recent or all were injected. Throws {@link
   * CommandException} if the control plane refuses it: a demo without the faults that were asked
   * for would prove nothing.
   */
  void injectIfDue(ProgressDisplay progressDisplay) {
    var now = cliContext.now();
    if (done == MAX_FAULTS_A_KIND * kinds.size() || now.isBefore(last.plus(EVERY))) return;
    last = now;
    var kind = kinds.get(done++ % kinds.size());
    var control = new FaultControlsClient(cliContext.http(), cliContext.endpoints().control());
    try {
      progressDisplay.say("! " + kind.told + control.set(kind.faultControl, Map.of()));
      injected.add(kind);
    } catch (UnavailableException later) {
      progressDisplay.say(later.getMessage());
    }
  }

  /** Kinds of faults of which none was injected. */
  List<String> missing() {
    return kinds.stream()
        .filter(kind -> !injected.contains(kind))
        .map(kind -> "no fault of " + kind.name + " was injected")
        .toList();
  }
}
