package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.worker.HostId;
import java.time.Instant;

/** Events of a run. Any of them may be late, duplicated or missing. */
public sealed interface GangEvent {
  Instant at();

  record Reported(Instant at, GangReport report) implements GangEvent {}

  /** Time has passed; matters only if it has passed a deadline of the phase. */
  record TimePassed(Instant at) implements GangEvent {}

  /**
   * Extends a passed deadline of the phase, because reports from hosts that met it may have been
   * lost in an outage.
   */
  record DeadlineExtended(Instant at, Instant deadline) implements GangEvent {}

  /** Served silence or the cloud says that the host is lost. It may still run. */
  record HostLost(Instant at, HostId host, FailureCause cause, String reason)
      implements GangEvent {}

  /** The machine is proved gone: by the cloud's 404, or, for a static worker, by its cut-off. */
  record HostGone(Instant at, HostId host) implements GangEvent {}

  /** The job is stopped, or the lease is revoked. */
  record StopRequested(Instant at, FailureCause cause, String reason) implements GangEvent {}
}
