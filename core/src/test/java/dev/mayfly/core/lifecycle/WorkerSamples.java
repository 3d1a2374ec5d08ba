package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One state of each kind, and one due event of each kind. */
final class WorkerSamples {
  static final DrainReason IDLE = new DrainReason(DrainCause.UNNEEDED, "idle");
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final Instant SOON = T0.plus(Duration.ofMinutes(10));
  static final Instant NOW = T0.plus(Duration.ofHours(1));

  static final List<WorkerState> STATES =
      List.of(
          new WorkerState.Launching(T0, SOON),
          new WorkerState.Booting(T0, SOON, "operation-1"),
          new WorkerState.Ready(T0, Optional.of(T0)),
          new WorkerState.Draining(T0, IDLE, SOON),
          new WorkerState.Drained(T0, "idle"),
          new WorkerState.Lost(T0, FailureCause.LOST, "silent"),
          new WorkerState.Gone(T0, "idle"));

  static final List<WorkerEvent> EVENTS =
      List.of(
          new WorkerEvent.Ordered(NOW, "operation-1"),
          new WorkerEvent.Refused(NOW, "ZONE_RESOURCE_POOL_EXHAUSTED"),
          new WorkerEvent.Joined(NOW, NOW.plusSeconds(600)),
          new WorkerEvent.AgentSynced(NOW),
          new WorkerEvent.PreemptionNoticed(NOW, NOW.plusSeconds(30)),
          new WorkerEvent.DrainRequested(NOW, IDLE, NOW.plusSeconds(300)),
          new WorkerEvent.DrainConfirmed(NOW),
          new WorkerEvent.AgentLeft(NOW),
          new WorkerEvent.DeadlinePassed(NOW),
          new WorkerEvent.StillStarting(NOW, NOW.plusSeconds(600)),
          new WorkerEvent.HostsAwaited(NOW, NOW.plusSeconds(60)),
          new WorkerEvent.Queued(NOW, "WAITING_FOR_RESOURCES"),
          new WorkerEvent.Granted(NOW, NOW.plusSeconds(600)),
          new WorkerEvent.MachineSeen(NOW),
          new WorkerEvent.MachineStopped(NOW, FailureCause.PREEMPTED, "TERMINATED", false),
          new WorkerEvent.MachineMissing(NOW, true),
          new WorkerEvent.DeclaredLost(NOW, FailureCause.LOST, "12 s of served silence"));

  private WorkerSamples() {}
}
