package dev.mayfly.sim.world;

/** Whether anything kept the control plane from cleaning up lately. */
final class CleanupBlockers {
  private final World world;
  private long seen;

  CleanupBlockers(World world) {
    this.world = world;
  }

  /** Since the last time that this was asked. */
  boolean blockedLately() {
    var before = seen;
    seen = world.weather().hindrances();
    return seen > before || !world.skies().serving() || world.schedule().paused() || standsStill();
  }

  private boolean standsStill() {
    var all = world.gateway().instances();
    return all.isEmpty() || all.stream().anyMatch(FunctionInstance::frozen);
  }
}
