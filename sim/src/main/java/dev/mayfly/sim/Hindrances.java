package dev.mayfly.sim;

/** Whether anything kept the control plane from cleaning up lately. */
final class Hindrances {
  private final World world;
  private long seen;

  Hindrances(World world) {
    this.world = world;
  }

  /** Since the last time that this was asked. */
  boolean lately() {
    var before = seen;
    seen = world.weather().hindrances();
    return seen > before || !world.skies().serving() || world.schedule().paused() || standsStill();
  }

  private boolean standsStill() {
    var all = world.gateway().instances();
    return all.isEmpty() || all.stream().anyMatch(Instance::standsStill);
  }
}
