package dev.mayfly.agent.process;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Enforces tasks' limits of CPU, memory and processes, where the system can. */
public sealed interface ResourceLimits permits CgroupLimits, NoLimits {

  /** Why limits are not enforced; empty if they are. */
  Optional<String> unenforcedReason();

  /** Creates the bounds of one attempt. */
  Bounds bounds(String attempt, long cpuMillis, long memoryBytes);

  /** The bounds of one attempt's processes. Closing them twice is harmless. */
  interface Bounds extends AutoCloseable {
    /**
     * The file that the attempt's first process writes its process id to before it executes the
     * command, so that all its children are in the group. Empty if there is no group.
     */
    Optional<Path> entrance();

    /** The folder of the attempt's control group; empty if it has none. */
    default Optional<Path> group() {
      return entrance().map(Path::getParent);
    }

    /**
     * The process whose tree is the attempt's; empty if that is the one which was started, and
     * while it is not known.
     */
    default OptionalLong firstProcess() {
      return OptionalLong.empty();
    }

    /** Whether the kernel ended one of its processes for lack of memory. */
    boolean ranOutOfMemory();

    /** The limit of processes and threads, if one was refused because of it. */
    default OptionalLong reachedProcessLimit() {
      return OptionalLong.empty();
    }

    /**
     * Whether the container engine failed before the command started, or a runner ended before it
     * read the task, so that the command is not at fault.
     *
     * @param code the exit code of the attempt's first process
     */
    default boolean neverBegan(int code) {
      return false;
    }

    /** Kills all processes in the group; does nothing if there is no group. */
    void kill();

    /** Releases the bounds; call it when no process is left. */
    @Override
    void close();
  }

  /**
   * Bounds without limits, which count whether the OOM killer ended anything since they were
   * created.
   */
  static Bounds counting() {
    return NoLimits.COUNTING.bounds("", 0, 0);
  }

  /**
   * The limits that work here. Call it once before the first task, because it may move this
   * process.
   */
  static ResourceLimits detect() {
    return CgroupLimits.detect(Path.of("/proc"));
  }
}
