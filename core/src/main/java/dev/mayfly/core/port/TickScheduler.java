package dev.mayfly.core.port;

/**
 * The minute tick of {@code autoscale}, which Mayfly pauses while there is nothing to look after.
 * Both calls may be repeated and may throw {@link dev.mayfly.core.error.UnavailableException}, also
 * when they were obeyed.
 */
public interface TickScheduler {
  /** No tick comes from now on, but for those that are on their way. */
  void pause();

  void resume();

  boolean paused();

  /** For a deployment whose ticks nobody can pause. */
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
