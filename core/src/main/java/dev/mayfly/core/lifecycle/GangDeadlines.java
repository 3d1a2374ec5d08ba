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
 * Deadlines that passed while nobody could hear. After an outage, hosts are heard before they are
 * judged: what they did meanwhile they could tell nobody. So the first look at a deadline that has
 * passed gives all of them a minute to speak, once a phase.
 */
final class GangDeadlines {
  /** In which every host speaks that can. */
  private static final Duration HEARD = Duration.ofMinutes(1);

  private final GangPhaseTimeouts times;

  GangDeadlines(GangPhaseTimeouts times) {
    this.times = times;
  }

  /** What the time is for a run that is looked at now. */
  GangEvent timeEvent(GangRun run, Instant now) {
    return first(run).filter(deadline -> !deadline.isAfter(now)).isPresent()
        ? new GangEvent.DeadlineExtended(now, now.plus(HEARD))
        : new GangEvent.TimePassed(now);
  }

  /** The deadline that the phase began with; empty if it has another one by now, or none. */
  private Optional<Instant> first(GangRun run) {
    var limits = run.limits();
    return switch (run.phase()) {
      case Prepare p -> unmoved(p.deadline(), p.since(), times.prepare());
      case Run p -> {
        var whole = times.start().plus(limits.timeout());
        yield starts(run) && p.startBy().isBefore(p.deadline())
            ? unmoved(p.startBy(), p.since(), times.start())
            : unmoved(p.deadline(), p.since(), whole);
      }
      case Settle p -> unmoved(p.deadline(), p.since(), limits.settle());
      case Publish p -> unmoved(p.deadline(), p.since(), times.publish().plus(limits.timeout()));
      case Kill p -> unmoved(p.deadline(), p.since(), times.kill().plus(limits.grace()));
      case Done _ -> Optional.empty();
      case Cleared _ -> Optional.empty();
    };
  }

  private static Optional<Instant> unmoved(Instant deadline, Instant since, Duration longest) {
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
