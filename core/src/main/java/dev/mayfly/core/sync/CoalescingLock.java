package dev.mayfly.core.sync;

/**
 * Admits one thread at a time. All requests that arrive while it is held become one further pass.
 */
final class CoalescingLock {
  private boolean taken;
  private boolean again;

  /** False if another thread holds it: its {@link #leave} then asks for one further pass. */
  synchronized boolean enter() {
    if (taken) again = true;
    var free = !taken;
    taken = true;
    return free;
  }

  /** True if other threads asked to enter. */
  synchronized boolean leave() {
    var others = again;
    taken = false;
    again = false;
    return others;
  }
}
