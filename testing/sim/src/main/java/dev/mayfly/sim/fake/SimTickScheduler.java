package dev.mayfly.sim.fake;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.sim.fault.PortHook;

/** Cloud Scheduler's one switch that Mayfly turns. */
public final class SimTickScheduler implements TickScheduler {
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
  public TickScheduler hooked(PortHook portHook) {
    return new TickScheduler() {
      @Override
      public void pause() {
        portHook.before("schedule.pause");
        SimTickScheduler.this.pause();
        portHook.after("schedule.pause");
      }

      @Override
      public void resume() {
        portHook.before("schedule.resume");
        SimTickScheduler.this.resume();
        portHook.after("schedule.resume");
      }

      @Override
      public boolean paused() {
        portHook.before("schedule.paused");
        return SimTickScheduler.this.paused();
      }
    };
  }
}
