package dev.mayfly.core.lifecycle;

import java.util.List;

/**
 * The result of an event.
 *
 * @param next committed before any effect is performed
 * @param effects to perform afterwards, in this order
 * @param changed whether there is anything to commit; a late, repeated or impossible event changes
 *     nothing
 * @param <S> the states
 */
public record Transition<S>(S next, List<WorkerEffect> effects, boolean changed) {
  public Transition {
    effects = List.copyOf(effects);
  }

  public static <S> Transition<S> to(S next, WorkerEffect... workerEffects) {
    return new Transition<>(next, List.of(workerEffects), true);
  }

  /** The state stays; effects that it still owes are returned. */
  public static <S> Transition<S> stale(S state, WorkerEffect... workerEffects) {
    return new Transition<>(state, List.of(workerEffects), false);
  }
}
