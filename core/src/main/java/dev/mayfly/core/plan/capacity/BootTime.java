package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How long a machine is awaited that was ordered and has not reported.
 *
 * <p>The boot deadline counts from the order, whatever the cloud says of it meanwhile. Only kinds
 * that clouds are slow to make have longer: TPUs, machines of eight GPUs or more, and those that
 * start flexibly.
 */
public final class BootTime {
  /** How the reason of a machine begins that was given up before it reported. */
  public static final String NEVER = "never booted";

  /** From the order to the first report. */
  public static final Duration LONGEST = Timings.DEFAULT.bootDeadline();

  /** So many deadlines have kinds that are slow by nature, while the cloud makes the machine. */
  private static final int SLOW = 6;

  private static final long MANY_GPUS = 8_000;

  /** A machine that takes so many times the usual time is told. */
  private static final int TIMES_USUAL = 4;

  private static final Duration LEAST_TOLD = Duration.ofMinutes(2);

  private BootTime() {}

  /** Whether clouds take long for such a machine without anything being wrong. */
  public static boolean isSlow(Worker worker) {
    return TpuTypes.isName(worker.machineType())
        || worker.provisioning() == Provisioning.FLEX_START
        || MachineTypes.shape(worker.machineType())
            .filter(shape -> shape.gpuMillis() >= MANY_GPUS || shape.tpuChips() > 0)
            .isPresent();
  }

  /** How long the cloud may take to make the worker's machine, where its deadline is that long. */
  public static Duration longest(Worker worker, Duration deadline) {
    return isSlow(worker) ? deadline.multipliedBy(SLOW) : deadline;
  }

  /** Whether the cloud was seen to run its machine; not of one whose document does not say it. */
  public static boolean isStarted(Worker worker) {
    return worker.usage().flatMap(MachineUsage::start).filter(MachineUsage.Start::runs).isPresent();
  }

  /** When the worker is given up, unless it reports before; empty if it is not awaited. */
  public static Optional<Instant> givenUpAt(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Launching launching -> Optional.of(launching.deadline());
      case WorkerState.Booting booting when booting.queue().isPresent() -> Optional.empty();
      case WorkerState.Booting booting when isSlow(worker) && !isStarted(worker) ->
          Optional.of(booting.since().plus(longest(worker, LONGEST)));
      case WorkerState.Booting booting -> Optional.of(booting.deadline());
      case WorkerState.Ready _,
          WorkerState.Draining _,
          WorkerState.Drained _,
          WorkerState.Lost _,
          WorkerState.Gone _ ->
          Optional.empty();
    };
  }

  /**
   * Whether the machine takes so long that something may be wrong: some times as long as usual, and
   * half of the time after which it is given up at the latest.
   *
   * @param usual from the order to the first report, of others of its pool
   */
  public static boolean isLate(Worker worker, Optional<Duration> usual, Instant now) {
    if (!mayBeLate(worker, now)) return false;
    var half = longest(worker, LONGEST).dividedBy(2);
    var told =
        usual
            .map(it -> it.multipliedBy(TIMES_USUAL))
            .map(it -> it.compareTo(LEAST_TOLD) < 0 ? LEAST_TOLD : it)
            .filter(it -> it.compareTo(half) < 0)
            .orElse(half);
    return !worker.state().since().plus(told).isAfter(now);
  }

  /** What is so of a machine that takes so long. */
  public static String late(Worker worker, Instant now) {
    return "it was ordered %s ago, and %s"
        .formatted(
            HumanDuration.between(worker.state().since(), now),
            isStarted(worker)
                ? "the cloud has started it and it has not reported"
                : "the cloud has not started it");
  }

  /**
   * Why a machine is given up: a sentence that is kept, and so has no age.
   *
   * @param started whether the cloud runs it
   */
  public static String never(Worker worker, boolean started, Instant now) {
    return "%s: %s within %s of its order"
        .formatted(
            NEVER,
            started
                ? "the cloud started it and its agent did not report"
                : "the cloud did not start it",
            HumanDuration.between(worker.state().since(), now));
  }

  /** Not of a slice of which a host has reported, nor of an order that the cloud asks to repeat. */
  private static boolean mayBeLate(Worker worker, Instant now) {
    return worker.provisioning() != Provisioning.STATIC
        && worker.incarnation().isEmpty()
        && worker.machineProblem().isEmpty()
        && givenUpAt(worker).isPresent()
        && !worker.state().since().plus(LEAST_TOLD).isAfter(now);
  }

  /** From the order of a machine to its agent's first report: the median of a pool's ready ones. */
  public static Optional<Duration> usual(String pool, List<Worker> workers) {
    var times =
        workers.stream()
            .filter(worker -> worker.pool().equals(pool))
            .filter(worker -> worker.state() instanceof WorkerState.Ready)
            .map(worker -> Duration.between(worker.createdAt(), worker.state().since()))
            .filter(Duration::isPositive)
            .sorted()
            .toList();
    return times.isEmpty() ? Optional.empty() : Optional.of(times.get(times.size() / 2));
  }
}
