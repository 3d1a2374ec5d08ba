package dev.mayfly.agent.metrics;

import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.core.model.TaskUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the processes of one attempt use: of their control group where they have one, else of the
 * first process and all that it began. A process without a group that left the others is not seen.
 * Memory that processes share is counted for each of them.
 */
public final class AttemptUse {
  /** How long an attempt runs before its use is told, and how long until it is told again. */
  private static final Duration EVERY = Duration.ofMinutes(1);

  private static final double MICROS = 1e6;
  private static final double NANOS = 1e9;
  private static final RecentProcesses RECENT = new RecentProcesses(Path.of("/proc"));

  private final Optional<Path> group;
  private final long began;
  private double cpuBefore;
  private double cpuSeconds;
  private long peakMemory;
  private boolean seen;
  private long told;

  /**
   * @param group the folder of its control group
   * @param began when it began, of the clock that each look has
   */
  AttemptUse(Optional<Path> group, long began) {
    this.group = group;
    this.began = began;
    this.told = began;
  }

  /** The use of an attempt that begins now. */
  public static AttemptUse of(Optional<Path> group, RunningProcess first) {
    var now = System.nanoTime();
    var use = new AttemptUse(group, now);
    if (first.marker().isPresent()) use.begin(first.pid(), RECENT.at(now));
    return use;
  }

  /**
   * Its processes were there before it began: what they used until now is not its own.
   *
   * @param processes tell which ones those are, and may be a second old
   */
  synchronized void begin(long first, MachineProcesses processes) {
    if (group.isPresent()) {
      look(group.get());
      peakMemory = 0;
      seen = false;
    } else cpuSeconds = processes.cpuSecondsNow(first);
    cpuBefore = cpuSeconds;
  }

  /**
   * Looks at what it uses now.
   *
   * @param first its first process
   */
  public synchronized void look(long first, MachineProcesses processes) {
    if (group.isPresent()) look(group.get());
    else processes.ofTree(first).ifPresent(tree -> add(tree.cpuSeconds(), tree.memory()));
  }

  /** The kernel keeps what processes used that have ended. */
  private void look(Path folder) {
    try (var cpu = Files.lines(folder.resolve("cpu.stat"));
        var memory = Files.lines(folder.resolve("memory.stat"))) {
      var micros = sum(cpu, "usage_usec");
      add(micros / MICROS, sum(memory, "anon", "shmem"));
    } catch (IOException gone) {
      // The group is removed with the attempt.
      return;
    }
  }

  private static long sum(Stream<String> lines, String... names) {
    return lines
        .map(line -> line.split(" "))
        .filter(words -> words.length == 2 && Stream.of(names).anyMatch(words[0]::equals))
        .mapToLong(words -> Long.parseLong(words[1]))
        .sum();
  }

  private void add(double seconds, long memory) {
    cpuSeconds = Math.max(cpuSeconds, seconds);
    peakMemory = Math.max(peakMemory, memory);
    seen = true;
  }

  /** What was used until now, once a minute at most; empty in between. */
  public synchronized Optional<TaskUse> news(long now) {
    if (now - told < EVERY.toNanos()) return Optional.empty();
    told = now;
    return last(now);
  }

  /** What was used until the end; empty if nothing was ever seen, as of what ended at once. */
  public synchronized Optional<TaskUse> last(long now) {
    var seconds = (now - began) / NANOS;
    if (!seen || seconds <= 0 || peakMemory == 0) return Optional.empty();
    var own = cpuSeconds - cpuBefore;
    return Optional.of(new TaskUse(rounded(own), rounded(own / seconds), peakMemory));
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
