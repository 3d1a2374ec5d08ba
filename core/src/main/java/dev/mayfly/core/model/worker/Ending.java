package dev.mayfly.core.model.worker;

import java.util.Optional;

/** How a machine ended, or is about to. */
public enum Ending {
  /** The cloud refused its order: there was no machine. */
  REFUSED,
  /** Mayfly or a person needed it no more, or its time was over. */
  GIVEN_BACK,
  /** The cloud took it back. */
  PREEMPTED,
  /** It or its agent fell silent, or it was gone. */
  LOST;

  /**
   * Empty while it does not end, and of one that ended before this was stored.
   *
   * @param noticed whether the cloud announced that it takes the machine back
   */
  public static Optional<Ending> of(WorkerState state, boolean noticed) {
    return switch (state) {
      case WorkerState.Launching _, WorkerState.Booting _, WorkerState.Ready _ -> Optional.empty();
      case WorkerState.Draining draining -> Optional.of(planned(noticed || draining.isTaken()));
      case WorkerState.Drained _ -> Optional.of(planned(noticed));
      case WorkerState.Lost lost -> Optional.of(of(lost));
      case WorkerState.Gone gone -> gone.ending();
    };
  }

  private static Ending planned(boolean taken) {
    return taken ? PREEMPTED : GIVEN_BACK;
  }

  private static Ending of(WorkerState.Lost lost) {
    return switch (lost.cause()) {
      case PREEMPTED -> PREEMPTED;
      case END_OF_LIFE, DRAINED -> GIVEN_BACK;
      default -> LOST;
    };
  }
}
