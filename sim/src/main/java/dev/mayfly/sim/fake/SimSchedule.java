package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Schedule;

/** Cloud Scheduler's one switch that Mayfly turns. */
public final class SimSchedule implements Schedule {
  private boolean paused;
  private Runnable beforePause = () -> {};

  /** What somebody else does just before the next pause. */
  public void beforePause(Runnable happens) {
    beforePause = happens;
  }

  @Override
  public void pause() {
    var first = beforePause;
    beforePause = () -> {};
    first.run();
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  @Override
  public boolean paused() {
    return paused;
  }

  /** As one process reaches it, which may die before or after. */
  public Schedule hooked(Hook hook) {
    return new Schedule() {
      @Override
      public void pause() {
        hook.before("schedule.pause");
        SimSchedule.this.pause();
        hook.after("schedule.pause");
      }

      @Override
      public void resume() {
        hook.before("schedule.resume");
        SimSchedule.this.resume();
        hook.after("schedule.resume");
      }

      @Override
      public boolean paused() {
        hook.before("schedule.paused");
        return SimSchedule.this.paused();
      }
    };
  }
}
