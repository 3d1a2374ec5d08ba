package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What proves the end of a machine of one's own, of which no cloud says that it is gone: its
 * agent's word, or that the time has passed after which an agent that reaches nobody has ended all
 * its tasks.
 */
final class StaticWorkerTermination {
  /** How a reason begins of one that was taken out, and not lost. */
  static final String REMOVED = "removed: ";

  /** What agents without a lease go by, and jobs that say nothing else. */
  private static final Duration CUT_OFF = Duration.ofMinutes(15);

  /** What a kill may take, and by what clocks may differ. */
  private static final Duration MARGIN = Duration.ofSeconds(60);

  private final Ledger ledger;
  private final InstantSource clock;

  StaticWorkerTermination(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Why nothing of the worker runs any more; empty while that is not known. */
  Optional<String> proof(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Drained d ->
          Optional.of(d.reason().equals(WorkerLifecycle.LEFT) ? d.reason() : REMOVED + d.reason());
      case WorkerState.Lost l -> {
        var cutOff = cutOff(worker);
        var over = !l.since().plus(cutOff).plus(MARGIN).isAfter(clock.instant());
        yield over
            ? Optional.of(
                "its agent, cut off for %s, has ended its tasks; %s"
                    .formatted(HumanDuration.between(l.since(), clock.instant()), l.reason()))
            : Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  /** The longest of its leases'; without a lease what agents go by then. */
  private Duration cutOff(Worker worker) {
    var keys =
        worker.held().stream()
            .map(h -> new DocumentKey.OfJob(worker.cluster(), h.job()))
            .distinct()
            .toList();
    return ledger.readAll(keys).requireComplete().stream()
        .map(j -> j.value().spec().run().cutOff())
        .max(Duration::compareTo)
        .orElse(CUT_OFF);
  }
}
