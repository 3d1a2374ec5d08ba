package dev.mayfly.core.port;

/**
 * The minute tick of {@code autoscale}, which Mayfly pauses while there is nothing to look after.
 * Both calls may be repeated and may throw {@link dev.mayfly.core.error.Unavailable}, also when
 * they were obeyed.
 */
public interface Schedule {
  /** No tick comes from now on, but for those that are on their way. */
  void pause();

  void resume();

  boolean paused();

  /** For a deployment whose ticks nobody can pause. */
  static Schedule always() {
    return new Schedule() {
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
