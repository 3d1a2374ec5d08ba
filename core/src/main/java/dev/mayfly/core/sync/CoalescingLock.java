package dev.mayfly.core.sync;

/** Lets one thread at a time in; what others come for meanwhile is left to one further pass. */
final class CoalescingLock {
  private boolean taken;
  private boolean again;

  /** False if another thread is in now: its {@link #leave} asks for one further pass. */
  synchronized boolean enter() {
    if (taken) again = true;
    var free = !taken;
    taken = true;
    return free;
  }

  /** True if others came meanwhile. */
  synchronized boolean leave() {
    var others = again;
    taken = false;
    again = false;
    return others;
  }
}
