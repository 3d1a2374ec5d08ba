package dev.mayfly.core.port;

/**
 * The minute tick of {@code autoscale}, which Mayfly pauses while there is nothing to reconcile.
 * All calls may be repeated and may throw {@link dev.mayfly.core.error.UnavailableException}, even
 * if they took effect.
 */
public interface TickScheduler {
  /** Stops new ticks; ticks already sent may still arrive. */
  void pause();

  void resume();

  boolean paused();

  /** For a deployment whose ticks cannot be paused. */
  static TickScheduler always() {
    return new TickScheduler() {
      @Override
      public void pause() {}

      @Override
      public void resume() {}

      @Override
      public boolean paused() {
        return false;
      }
    };
  }
}
