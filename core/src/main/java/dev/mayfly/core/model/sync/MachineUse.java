package dev.mayfly.core.model.sync;

/**
 * How busy a machine's processors are and how full its memory is, also by processes that are no
 * task's.
 *
 * @param cpu percent of all its processors, of the last moments
 * @param memoryUsed bytes that no other process could have
 * @param memory bytes, all of it
 */
public record MachineUse(int cpu, long memoryUsed, long memory) {
  private static final int SMALL = 10;

  /** Percent of its memory that is used. */
  public int memoryPercent() {
    return memory <= 0 ? 0 : (int) Math.clamp(memoryUsed * 100.0 / memory, 0, 100);
  }

  /** Whether it differs by a few percent at most. */
  public boolean isNear(MachineUse other) {
    return memory == other.memory
        && Math.abs(cpu - other.cpu) < SMALL
        && Math.abs(memoryPercent() - other.memoryPercent()) < SMALL;
  }
}
