package dev.mayfly.core.lifecycle;

import java.util.List;

/**
 * What an event makes of a state.
 *
 * @param next to be committed before any effect is performed
 * @param effects what to do then, in this order
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

  /** The state stays; the effects are those that it owes all the same. */
  public static <S> Transition<S> stale(S state, WorkerEffect... workerEffects) {
    return new Transition<>(state, List.of(workerEffects), false);
  }
}
