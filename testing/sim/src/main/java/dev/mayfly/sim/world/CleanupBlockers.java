package dev.mayfly.sim.world;

/** Detects whether anything hindered cleanup lately. */
final class CleanupBlockers {
  private final World world;
  private long seen;

  CleanupBlockers(World world) {
    this.world = world;
  }

  /** Whether anything hindered cleanup since the last call. */
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
