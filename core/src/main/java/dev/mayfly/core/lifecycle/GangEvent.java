package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.worker.HostId;
import java.time.Instant;

/** What can happen to a run. Any of them may come late, twice or never. */
public sealed interface GangEvent {
  Instant at();

  record Reported(Instant at, GangReport report) implements GangEvent {}

  /** Time went by; only a deadline that the phase has and that has passed makes a difference. */
  record TimePassed(Instant at) implements GangEvent {}

  /**
   * A deadline of the phase has passed, and perhaps nobody could hear those who met it: it is
   * another one now.
   */
  record DeadlineExtended(Instant at, Instant deadline) implements GangEvent {}

  /** Served silence or the cloud's word: the host is not counted on any more. It may still run. */
  record HostLost(Instant at, HostId host, FailureCause cause, String reason)
      implements GangEvent {}

  /** The machine is proved gone: by the cloud's 404, or, for one of one's own, by its cut-off. */
  record HostGone(Instant at, HostId host) implements GangEvent {}

  /** The job is stopped, or the lease is taken back. */
  record StopRequested(Instant at, FailureCause cause, String reason) implements GangEvent {}
}
