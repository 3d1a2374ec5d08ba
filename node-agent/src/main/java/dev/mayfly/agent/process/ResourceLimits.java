package dev.mayfly.agent.process;

import java.nio.file.Path;
import java.util.Optional;

/** Holds tasks to their share of the machine, where the system can do that. */
public sealed interface ResourceLimits permits CgroupLimits, NoLimits {

  /** Why tasks are not held to their limits; empty if they are. */
  Optional<String> unenforcedReason();

  /** Makes the bounds of one attempt. */
  Bounds bounds(String attempt, long cpuMillis, long memoryBytes);

  /** The bounds of one attempt's processes. Closing them twice is harmless. */
  interface Bounds extends AutoCloseable {
    /**
     * The file that the attempt's first process writes its number to before it becomes the user's
     * command: what it starts from then on is inside too. Empty where there is no such group.
     */
    Optional<Path> entrance();

    /** Whether the system ended one of its processes for want of memory. */
    boolean ranOutOfMemory();

    /**
     * Whether that which was to start the command failed before it did, and so the command is not
     * to blame.
     *
     * @param code that the attempt's first process ended with
     */
    default boolean neverBegan(int code) {
      return false;
    }

    /** Kills all that is in it; nothing where there is no such group. */
    void kill();

    /** Forgets the bounds; call it when no process is left. */
    @Override
    void close();
  }

  /**
   * Bounds that bound nothing, and count whether the kernel ended anything for want of memory since
   * they were made.
   */
  static Bounds counting() {
    return new NoLimits("", Path.of("/proc")).bounds("", 0, 0);
  }

  /** What works on this machine. Call it once, before the first task: it may move this process. */
  static ResourceLimits detect() {
    return CgroupLimits.detect(Path.of("/proc"));
  }
}
