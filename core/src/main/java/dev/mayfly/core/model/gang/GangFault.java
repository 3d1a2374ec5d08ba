package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.HostId;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a run was ended early.
 *
 * @param host the host at fault, if it was one host's
 * @param exit the code with which its command ended by itself; 0 if it did not
 * @param at when, by the host's clock if reported
 * @param lasting true if another run would fail alike; absent if not
 */
public record GangFault(
    FailureCause cause,
    String reason,
    Optional<HostId> host,
    int exit,
    Instant at,
    Optional<Boolean> lasting) {
  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;

  /** One that another run may not share. */
  public GangFault(FailureCause cause, String reason, Optional<HostId> host, int exit, Instant at) {
    this(cause, reason, host, exit, at, Optional.empty());
  }

  /** A fault of no particular host. */
  public static GangFault of(FailureCause failureCause, String reason, Instant at) {
    return new GangFault(failureCause, reason, Optional.empty(), 0, at);
  }

  /**
   * Whether this explains the end better than the other fault. When one rank fails the others
   * follow: their connections break, or they are killed. So the first of several exits counts, and
   * an exit by SIGKILL or SIGTERM only if there is no other.
   */
  public boolean explains(GangFault other) {
    if (exit == 0 || other.exit == 0) return false;
    if (signalled() != other.signalled()) return other.signalled();
    return at.isBefore(other.at);
  }

  private boolean signalled() {
    return cause == FailureCause.USER && (exit == KILLED || exit == TERMINATED);
  }
}
