package dev.mayfly.core.dispatch;

import dev.mayfly.core.state.SyncContext;

/**
 * Runs another pass after a pause, one at a time: while one worker is idle and others have work,
 * what can be stolen changes with time.
 */
public final class StealTimer {
  private final SyncContext syncContext;
  private final Runnable pass;
  private boolean set;

  public StealTimer(SyncContext syncContext, Runnable pass) {
    this.syncContext = syncContext;
    this.pass = pass;
  }

  public void start() {
    synchronized (this) {
      if (set) return;
      set = true;
    }
    syncContext
        .alarms()
        .callAt(syncContext.clock().instant().plus(syncContext.rules().stealPause()), this::fire);
  }

  private void fire() {
    synchronized (this) {
      set = false;
    }
    pass.run();
  }
}
