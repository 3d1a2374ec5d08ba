package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Says when a static worker counts as one that runs nothing. No cloud confirms its end; its agent
 * does, or the time passes after which an agent that reaches no control plane has ended all its
 * tasks. That is no proof for an agent that was killed, and the reason says so.
 */
public final class StaticWorkerTermination {
  /** Prefix of the reason of a worker that was removed, not lost. */
  static final String REMOVED = "removed: ";

  /** The cut-off of agents without a lease and of jobs that name none. */
  private static final Duration CUT_OFF = Duration.ofMinutes(15);

  /** Allows for the duration of a kill and for clock differences. */
  private static final Duration MARGIN = Duration.ofSeconds(60);

  private final Ledger ledger;
  private final InstantSource clock;

  public StaticWorkerTermination(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Why the worker counts as one that runs nothing; empty while it does not. */
  Optional<String> proof(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Drained d ->
          Optional.of(d.reason().equals(WorkerLifecycle.LEFT) ? d.reason() : REMOVED + d.reason());
      case WorkerState.Lost l -> {
        var now = clock.instant();
        yield provedAt(l, jobs(worker).requireComplete()).isAfter(now)
            ? Optional.empty()
            : Optional.of(
                "not heard from for %s: a live agent has ended its tasks by now; if the agent was killed, tasks may still run; %s"
                    .formatted(HumanDuration.between(l.since(), now), l.reason()));
      }
      default -> Optional.empty();
    };
  }

  /**
   * When a lost worker counts as one that runs nothing, as far as its jobs are readable; empty for
   * others, and for machines of a cloud.
   */
  public Optional<Instant> provedAt(Worker worker) {
    return worker.provisioning() == Provisioning.STATIC
            && worker.state() instanceof WorkerState.Lost lost
        ? Optional.of(provedAt(lost, jobs(worker).readableOnly()))
        : Optional.empty();
  }

  /** After the longest cut-off of its leases; without a lease the default of agents. */
  private static Instant provedAt(WorkerState.Lost lost, List<VersionedDocument<Job>> jobs) {
    var cutOff =
        jobs.stream()
            .map(j -> j.value().spec().run().cutOff())
            .max(Duration::compareTo)
            .orElse(CUT_OFF);
    return lost.since().plus(cutOff).plus(MARGIN);
  }

  private QueryResult<Job> jobs(Worker worker) {
    return ledger.readAll(
        worker.held().stream()
            .map(h -> new DocumentKey.OfJob(worker.cluster(), h.job()))
            .distinct()
            .toList());
  }
}
