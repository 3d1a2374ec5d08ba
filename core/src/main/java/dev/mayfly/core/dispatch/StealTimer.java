package dev.mayfly.core.dispatch;

import dev.mayfly.core.state.SyncContext;

/**
 * Calls for a pass some time later, one at a time: while one worker has nothing to do and others
 * have, what can be taken from them changes with time.
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
        .callAt(syncContext.clock().instant().plus(syncContext.rules().stealPause()), this::ring);
  }

  private void ring() {
    synchronized (this) {
      set = false;
    }
    pass.run();
  }
}
