package dev.mayfly.sim.fake;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.sim.fault.PortHook;

/** The pause switch of the Cloud Scheduler job. */
public final class SimTickScheduler implements TickScheduler {
  private boolean paused;
  private Runnable beforePause = () -> {};

  /** Runs a concurrent action just before the next pause. */
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

  /** The scheduler as seen by one process, which may die before or after a call. */
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
