package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Limits by control groups, version 2.
 *
 * <p>A group that delegates controllers may not contain processes. So the agent first moves from
 * its own group into a child of it; the attempts' groups are siblings of that child. It moves only
 * if the memory controller is available: with version 1, the memory limit of the agent's parent is
 * set elsewhere, and moving must not escape it.
 */
final class CgroupLimits implements ResourceLimits {
  private static final Set<String> NEEDED = Set.of("cpu", "memory");
  private static final String PROCESSES = "pids";

  /** In microseconds: a task with 1.5 CPUs may use 150,000 of them per period. */
  private static final long PERIOD = 100_000;

  /** The kernel's minimum quota. */
  private static final long LEAST_QUOTA = 1_000;

  private final Path own;
  private final OptionalLong processes;

  /**
   * @param own the parent of the attempts' groups; delegates its controllers
   * @param processes how many processes and threads an attempt may have; empty if the machine
   *     cannot limit them
   */
  CgroupLimits(Path own, OptionalLong processes) {
    this.own = own;
    this.processes = processes;
  }

  static ResourceLimits detect(Path proc) {
    try {
      var mount = mount(proc);
      var path = ownPath(proc);
      if (mount.isEmpty() || path.isEmpty()) {
        return new NoLimits("this machine has no control groups of version 2", proc);
      }
      var own = mount.get().resolve(path.get().substring(1)).normalize();
      return in(own, own.equals(mount.get()), proc);
    } catch (IOException e) {
      return new NoLimits("control groups cannot be used: " + e, proc);
    }
  }

  /** Prepares the group {@code own} of this process. */
  static ResourceLimits in(Path own, boolean top, Path proc) throws IOException {
    var here = List.of(Files.readString(own.resolve("cgroup.controllers")).strip().split("\\s+"));
    if (!here.containsAll(NEEDED)) {
      return new NoLimits("control groups of version 2 have no memory or CPU controller", proc);
    }
    if (!Files.isWritable(own.resolve("cgroup.subtree_control"))) {
      return new NoLimits("no right to make control groups; set Delegate=yes in the unit", proc);
    }
    if (!top) {
      moveAside(own);
    }
    var counted = here.contains(PROCESSES);
    Files.writeString(
        own.resolve("cgroup.subtree_control"), "+cpu +memory" + (counted ? " +" + PROCESSES : ""));
    return new CgroupLimits(
        own, counted ? OptionalLong.of(ProcessLimit.of(proc)) : OptionalLong.empty());
  }

  private static void moveAside(Path own) throws IOException {
    var aside = Files.createDirectories(own.resolve("mayfly-agent"));
    for (var pid : Files.readAllLines(own.resolve("cgroup.procs"))) {
      move(pid, aside.resolve("cgroup.procs"));
    }
  }

  /** Other processes may end meanwhile; this process must be moved. */
  private static void move(String pid, Path group) throws IOException {
    try {
      Files.writeString(group, pid);
    } catch (IOException e) {
      if (pid.equals(Long.toString(ProcessHandle.current().pid()))) throw e;
    }
  }

  /** In {@code 29 23 0:26 / /sys/fs/cgroup rw - cgroup2 …} the fifth field. */
  private static Optional<Path> mount(Path proc) throws IOException {
    return Files.readAllLines(proc.resolve("self/mountinfo")).stream()
        .filter(line -> line.contains(" - cgroup2 "))
        .map(line -> Path.of(line.split(" ")[4]))
        .findFirst();
  }

  private static Optional<String> ownPath(Path proc) throws IOException {
    return Files.readAllLines(proc.resolve("self/cgroup")).stream()
        .filter(line -> line.startsWith("0::/"))
        .map(line -> line.substring(3))
        .findFirst();
  }

  @Override
  public Optional<String> unenforcedReason() {
    return processes.isPresent()
        ? Optional.empty()
        : Optional.of("the limit of processes: control groups have no pids controller");
  }

  @Override
  public Bounds bounds(String attempt, long cpuMillis, long memoryBytes) {
    var group = own.resolve("mayfly-" + attempt.replaceAll("[^A-Za-z0-9]", "-"));
    try {
      Files.createDirectories(group);
      limit(group, cpuMillis, memoryBytes);
    } catch (IOException e) {
      new Group(group).close();
      throw new IllegalStateException("cannot limit a task in " + group + ": " + e, e);
    }
    return new Group(group);
  }

  /** Sets only the limits that the job names: a 0 in a kernel file would mean "none at all". */
  private void limit(Path group, long cpuMillis, long memoryBytes) throws IOException {
    if (processes.isPresent())
      Files.writeString(group.resolve("pids.max"), Long.toString(processes.getAsLong()));
    if (cpuMillis > 0) {
      var quota = Math.max(LEAST_QUOTA, cpuMillis * (PERIOD / 1_000));
      Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD);
    } else {
      // The job requests no CPU, so the task gets what others leave.
      Files.writeString(group.resolve("cpu.weight"), "1");
    }
    if (memoryBytes > 0) {
      Files.writeString(group.resolve("memory.max"), Long.toString(memoryBytes));
    }
    // A partly killed task is useless, so kill all of it.
    Files.writeString(group.resolve("memory.oom.group"), "1");
  }

  private record Group(Path path) implements Bounds {
    @Override
    public Optional<Path> entrance() {
      return Optional.of(path.resolve("cgroup.procs"));
    }

    @Override
    public boolean ranOutOfMemory() {
      return read("memory.events").stream()
          .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
    }

    @Override
    public OptionalLong reachedProcessLimit() {
      var reached =
          read("pids.events").stream().anyMatch(l -> l.startsWith("max ") && !l.equals("max 0"));
      return reached
          ? read("pids.max").stream().mapToLong(Long::parseLong).findFirst()
          : OptionalLong.empty();
    }

    @Override
    public void kill() {
      write("cgroup.kill", "1");
    }

    @Override
    public void close() {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // An unkillable process keeps the group; that kill was reported as unconfirmed.
      }
    }

    private List<String> read(String file) {
      try {
        return Files.readAllLines(path.resolve(file));
      } catch (IOException e) {
        return List.of();
      }
    }

    private void write(String file, String text) {
      try {
        Files.writeString(path.resolve(file), text);
      } catch (IOException e) {
        // An old kernel lacks cgroup.kill, or the group is empty; signals also kill.
      }
    }
  }
}
