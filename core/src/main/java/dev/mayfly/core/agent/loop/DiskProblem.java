package dev.mayfly.core.agent.loop;

/** Why nothing, or hardly anything, can be written to the disk that attempts use. */
public sealed interface DiskProblem {
  /** For users to read. */
  String what();

  /** What helps against it. */
  String remedy();

  record Full(String what) implements DiskProblem {
    @Override
    public String remedy() {
      return "a larger disk is machine.disk.sizeGb of its pool";
    }
  }

  /** It cannot be read or written, whatever its size. */
  record Broken(String what) implements DiskProblem {
    @Override
    public String remedy() {
      return "the machine needs another disk, not a larger one";
    }
  }
}
