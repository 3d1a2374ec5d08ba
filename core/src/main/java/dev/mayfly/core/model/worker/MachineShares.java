package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.worker.MachineUsage.Part;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a machine is divided at a moment, as far as the ledger says. */
public final class MachineShares {
  private MachineShares() {}

  /**
   * Where the parts of leases are more than a machine, each is reduced in proportion; where they
   * are less, the rest is idle. No part while there is no machine to be paid for.
   *
   * @param leases the part of each lease, alone
   */
  public static List<Part> of(WorkerState state, List<Part> leases) {
    return of(state, leases, Purpose.IDLE);
  }

  /**
   * A machine's time until now, if the cloud runs it. What is idle of it counts as kept, while a
   * job keeps it after a failure and it does not end.
   */
  public static MachineUsage counted(
      MachineUsage usage,
      WorkerState state,
      List<Part> leases,
      Optional<KeptAttempt> kept,
      Instant now) {
    if (usage.waits()) return usage;
    var over = kept.map(KeptAttempt::until).filter(it -> it.isBefore(now)).orElse(now);
    var rest = kept.isPresent() && state.live() ? Purpose.KEPT : Purpose.IDLE;
    return usage.counted(of(state, leases, rest), over).counted(of(state, leases), now);
  }

  /**
   * The time of a machine that changes its state. If nobody has seen it run, it is known now
   * whether it may: a refused order made none, in the cloud's queue there is none yet, and of one
   * that ends before it has reported the look at its deletion tells. Nobody has seen that look of
   * one that is gone: then it counts.
   */
  public static MachineUsage begun(MachineUsage usage, WorkerState state, WorkerState next) {
    var queued = state instanceof WorkerState.Booting booting && booting.queue().isPresent();
    var refused = next instanceof WorkerState.Gone gone && gone.isRefused();
    var never = next instanceof WorkerState.Gone && (refused || neverRan(usage, state));
    var none = never || queued || state instanceof WorkerState.Launching;
    var waiting = none ? usage.notRunning(next.since()) : usage;
    return switch (next) {
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Drained _,
          WorkerState.Lost _ ->
          state instanceof WorkerState.Booting && next instanceof WorkerState.Booting
              ? usage
              : waiting;
      case WorkerState.Gone _ -> never ? waiting : waiting.running();
      case WorkerState.Ready _, WorkerState.Draining _ -> waiting.running();
    };
  }

  /** Whether the cloud was seen not to run a machine when it ended. */
  private static boolean neverRan(MachineUsage usage, WorkerState state) {
    var ended = state instanceof WorkerState.Drained || state instanceof WorkerState.Lost;
    return ended && usage.waits() && !usage.countedTo().isBefore(millis(state.since()));
  }

  private static Instant millis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }

  private static List<Part> of(WorkerState state, List<Part> leases, Purpose rest) {
    return switch (state) {
      case WorkerState.Launching _, WorkerState.Gone _ -> List.of();
      case WorkerState.Booting booting when booting.queue().isPresent() -> List.of();
      case WorkerState.Booting _ -> Part.whole(Purpose.BOOT);
      case WorkerState.Ready _, WorkerState.Draining _ -> shared(leases, rest);
      case WorkerState.Drained _, WorkerState.Lost _ -> Part.whole(Purpose.END);
    };
  }

  private static List<Part> shared(List<Part> leases, Purpose rest) {
    var sum = leases.stream().mapToDouble(Part::share).sum();
    var parts = new ArrayList<Part>();
    for (var part : leases)
      parts.add(new Part(part.purpose(), part.job(), part.share() / Math.max(1, sum)));
    if (sum < 1) parts.add(new Part(rest, Optional.empty(), 1 - sum));
    return parts;
  }
}
