package dev.mayfly.core.text;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Says what tasks used of what they asked for, and what to ask for instead. What was not measured
 * is not told.
 */
public final class UseText {
  /** Why a TPU's use is not among it. */
  public static final String TPU =
      "not measured: the chips' runtime tells it only beside the process that holds them; try"
          + " tpu-info there";

  /** Fewer tasks say too little of the others. */
  private static final int ENOUGH = 3;

  /** What a task should have beyond what was seen: a look is made once a second only. */
  private static final double RESERVE = 1.25;

  /** A request is worth changing if it is this part of the old one at most. */
  private static final double WORTH = 0.75;

  private static final double LEAST_TOLD = 0.01;
  private static final long MEMORY_STEP = 256L << 20;
  private static final long CPU_STEP = 250;
  private static final int MILLIS = 1000;

  private UseText() {}

  /** One task: {@code at most 2.1 GiB of 8 GiB asked for; 0.9 of 4 CPU, 23%}. */
  public static String of(TaskUse use, Resources asked) {
    return memory(use.peakMemory(), asked) + "; " + processors(use.knownCpus(), asked);
  }

  /**
   * All tasks of a job that are known: the most that one of them used.
   *
   * @param uses not empty
   */
  public static String of(List<TaskUse> uses, Resources asked) {
    var most = most(uses);
    return "%s; %s (the most of %s)"
        .formatted(
            memory(most.peakMemory(), asked),
            processors(most.knownCpus(), asked),
            HumanAmounts.count(uses.size(), "measured task"));
  }

  private static TaskUse most(List<TaskUse> uses) {
    var seconds = uses.stream().mapToDouble(TaskUse::cpuSeconds).max().orElse(0);
    var cpus = uses.stream().mapToDouble(TaskUse::cpus).max().orElse(0);
    var memory = uses.stream().mapToLong(TaskUse::peakMemory).max().orElse(0);
    return new TaskUse(seconds, cpus, memory);
  }

  private static String memory(long peak, Resources asked) {
    var text = "at most " + rounded(peak);
    return asked.memoryBytes() > 0
        ? text + " of " + HumanAmounts.memory(asked.memoryBytes()) + " asked for"
        : text + ", no memory asked for";
  }

  private static String processors(Optional<Double> known, Resources asked) {
    if (known.isEmpty())
      return "CPU not measured: it ended before a second look at its processes, one is made every"
          + " second";
    var cpus = known.get();
    var used = cpus < LEAST_TOLD ? "less than " + decimal(LEAST_TOLD) : decimal(cpus);
    if (asked.cpuMillis() == 0) return used + " CPU on the mean, none asked for";
    var part = Math.round(cpus * MILLIS * 100 / asked.cpuMillis());
    return "%s of %s CPU on the mean, %d%%"
        .formatted(used, decimal(asked.cpuMillis() / (double) MILLIS), part);
  }

  /**
   * What to ask for so that more tasks fit on a machine, for tasks that ended well.
   *
   * @param uses of tasks that are done
   * @param machine what tasks may use of one that ran some
   * @param type of that machine
   * @return empty where that is not known, or helps nothing
   */
  public static Optional<String> advice(
      List<TaskUse> uses, Resources asked, Resources machine, String type) {
    if (uses.size() < ENOUGH) return Optional.empty();
    var most = most(uses);
    var memory = less(Math.round(most.peakMemory() * RESERVE), asked.memoryBytes(), MEMORY_STEP);
    // What was not measured is no reason to ask for less.
    var cpu =
        uses.stream().filter(it -> it.knownCpus().isPresent()).count() < ENOUGH
            ? asked.cpuMillis()
            : less(Math.round(most.cpus() * RESERVE * MILLIS), asked.cpuMillis(), CPU_STEP);
    var next =
        new Resources(cpu, memory, asked.gpuMillis(), asked.tpuChips(), asked.gpuMemoryBytes());
    var now = machine.slots(asked);
    var then = machine.slots(next);
    if (now < 1 || then <= now) return Optional.empty();
    var words = new ArrayList<String>();
    if (cpu < asked.cpuMillis()) words.add("cpu: " + decimal(cpu / (double) MILLIS));
    if (memory < asked.memoryBytes())
      words.add(
          "memory: " + HumanAmounts.memory(memory).replace(" GiB", "Gi").replace(" MiB", "Mi"));
    return Optional.of(
        "with %s in its resources, a quarter more than the most that was used, %s more would fit on a machine like"
                .formatted(String.join(", ", words), HumanAmounts.count(then - now, "task"))
            + " %s, beside %d".formatted(type, now));
  }

  /** The amount in whole steps if asking for it is worth a change, else what is asked for. */
  private static long less(long amount, long asked, long step) {
    var steps = Math.max(1, (amount + step - 1) / step) * step;
    return steps <= asked * WORTH ? steps : asked;
  }

  private static String rounded(long bytes) {
    var mib = 1L << 20;
    if (bytes < 10 * mib * 100) return Math.max(1, Math.round(bytes / (double) mib)) + " MiB";
    return HumanAmounts.gib(bytes);
  }

  private static String decimal(double number) {
    return HumanAmounts.number(Double.parseDouble(String.format(Locale.ROOT, "%.2f", number)));
  }
}
