package dev.mayfly.core.dispatch;

import dev.mayfly.core.state.Context;

/**
 * Runs another pass after a pause, one at a time: while one worker is idle and others have work,
 * what can be stolen changes with time.
 */
public final class StealTimer {
  private final Context context;
  private final Runnable pass;
  private boolean set;

  public StealTimer(Context context, Runnable pass) {
    this.context = context;
    this.pass = pass;
  }

  public void start() {
    synchronized (this) {
      if (set) return;
      set = true;
    }
    context
        .executor()
        .callAt(context.clock().instant().plus(context.timings().stealPause()), this::fire);
  }

  private void fire() {
    synchronized (this) {
      set = false;
    }
    pass.run();
  }
}
