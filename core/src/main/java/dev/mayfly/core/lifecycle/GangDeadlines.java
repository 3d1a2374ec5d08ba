package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhase.Cleared;
import dev.mayfly.core.model.gang.GangPhase.Done;
import dev.mayfly.core.model.gang.GangPhase.Kill;
import dev.mayfly.core.model.gang.GangPhase.Prepare;
import dev.mayfly.core.model.gang.GangPhase.Publish;
import dev.mayfly.core.model.gang.GangPhase.Run;
import dev.mayfly.core.model.gang.GangPhase.Settle;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Extends deadlines that passed during an outage. Hosts could not report meanwhile, so after an
 * outage they may report before they are judged: when a passed deadline is first found, all hosts
 * get one more minute, once per phase.
 */
final class GangDeadlines {
  /** How long every host has to report after an outage. */
  private static final Duration EXTENSION = Duration.ofMinutes(1);

  private final GangPhaseTimeouts times;

  GangDeadlines(GangPhaseTimeouts times) {
    this.times = times;
  }

  /** The event that time alone causes for a run now. */
  GangEvent timeEvent(GangRun run, Instant now) {
    return originalDeadline(run).filter(deadline -> !deadline.isAfter(now)).isPresent()
        ? new GangEvent.DeadlineExtended(now, now.plus(EXTENSION))
        : new GangEvent.TimePassed(now);
  }

  /** The phase's original deadline; empty if it was extended, or if there is none. */
  private Optional<Instant> originalDeadline(GangRun run) {
    var limits = run.limits();
    return switch (run.phase()) {
      case Prepare p -> ifOriginal(p.deadline(), p.since(), times.prepare());
      case Run p -> {
        var whole = times.start().plus(limits.timeout());
        yield starts(run) && p.startBy().isBefore(p.deadline())
            ? ifOriginal(p.startBy(), p.since(), times.start())
            : ifOriginal(p.deadline(), p.since(), whole);
      }
      case Settle p -> ifOriginal(p.deadline(), p.since(), limits.settle());
      case Publish p -> ifOriginal(p.deadline(), p.since(), times.publish().plus(limits.timeout()));
      case Kill p -> ifOriginal(p.deadline(), p.since(), times.kill().plus(limits.grace()));
      case Done _ -> Optional.empty();
      case Cleared _ -> Optional.empty();
    };
  }

  private static Optional<Instant> ifOriginal(Instant deadline, Instant since, Duration longest) {
    return deadline.isAfter(since.plus(longest)) ? Optional.empty() : Optional.of(deadline);
  }

  private static boolean starts(GangRun run) {
    return !run.all(m -> m.stage() != GangMemberStage.PREPARED);
  }

  /** The same phase with another deadline. */
  static GangPhase moved(GangRun run, Instant deadline) {
    return switch (run.phase()) {
      case Prepare p -> new Prepare(p.since(), deadline);
      case Run p ->
          starts(run)
              ? new Run(p.since(), deadline, p.deadline())
              : new Run(p.since(), p.startBy(), deadline);
      case Settle p -> new Settle(p.since(), deadline);
      case Publish p -> new Publish(p.since(), deadline);
      case Kill p -> new Kill(p.since(), deadline, p.fault());
      case Done p -> p;
      case Cleared p -> p;
    };
  }
}
