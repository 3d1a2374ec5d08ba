package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.core.error.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Harms the demo's own control plane while the job runs: each function's instances twice, and then
 * no more. On a busy machine a function may take longer to start than its turn to be killed takes
 * to come again, and nothing would ever end.
 */
final class DemoHarm {
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final int MOST = 16;

  private final Session session;
  private final Kind kind;
  private Instant last = Instant.EPOCH;
  private int done;

  private DemoHarm(Session session, Kind kind) {
    this.session = session;
    this.kind = kind;
  }

  /** What is done. */
  private enum Kind {
    KILL("kill-functions", "functions/kill", "kill -9 of function "),
    DROP("drop-connections", "connections/drop", "cut connections of functions and emulators: ");

    final String name;
    final String dial;
    final String told;

    Kind(String name, String dial, String told) {
      this.name = name;
      this.dial = dial;
      this.told = told;
    }
  }

  /** Refuses a name that is no harm, and one without emulators, where there is nothing to harm. */
  static Optional<DemoHarm> of(Session session, Optional<String> name, boolean emulators) {
    if (name.isEmpty()) return Optional.empty();
    if (!emulators) throw new Refusal(Exit.INPUT, "--trouble goes with --emulators");
    for (var kind : Kind.values())
      if (kind.name.equals(name.get())) return Optional.of(new DemoHarm(session, kind));
    throw new Refusal(
        Exit.INPUT,
        "--trouble is '" + name.get() + "'; it must be kill-functions or drop-connections");
  }

  void perhaps(Progress progress) {
    var now = session.now();
    if (done == MOST || now.isBefore(last.plus(EVERY))) return;
    last = now;
    done++;
    var control = session.site().api().replaceFirst("/api$", "");
    try {
      var reply = session.http().post(control + "/_sim/" + kind.dial, new byte[0]);
      progress.say("! " + kind.told + reply.text());
    } catch (Unavailable later) {
      progress.say(later.getMessage());
    }
  }
}
