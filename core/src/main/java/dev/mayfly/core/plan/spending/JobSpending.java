package dev.mayfly.core.plan.spending;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;

/**
 * What a job's tasks cost, compared with its {@code maxUsd}.
 *
 * <p><b>Must:</b> count each moment once, as {@code mayfly cost JOB} does, but not what was lost
 * for a job of a higher priority; end the job while it can still end within its limit. What runs
 * costs more until the next tick, and until its tasks have ended if that one stops it: so the limit
 * is passed only by machines that the job has for less than a minute when it is stopped, and by
 * what these cost in a minute and its grace.
 *
 * @param spent until now; machines without a known price count as nothing
 * @param untilEnd more by what it has now, until a stop at the next tick has ended it
 */
public record JobSpending(String address, double maxUsd, double spent, double untilEnd) {
  private static final double CENT = 0.01;

  /** From this part of its limit on people are told. */
  private static final double NEAR = 0.8;

  /** A job that is continued may get more machines than it had when it was stopped. */
  private static final int ENDS = 3;

  private static final Duration TICK = Duration.ofMinutes(1);

  /**
   * @param job a job with a {@code maxUsd}
   * @param moved what machines have given away that are not added to the job yet
   * @param workers that have a machine
   */
  public static JobSpending of(
      Job job, Collection<Usage> moved, Collection<Worker> workers, Instant now) {
    var spent = job.spent().endedUsd();
    for (var usage : moved) spent += usd(job.uid(), usage.rows());
    var end = now.plus(TICK).plus(job.spec().run().grace());
    var untilEnd = 0.0;
    for (var worker : workers) {
      var counted = usd(job.uid(), Usage.rows(worker.counted(now)));
      spent += counted;
      untilEnd += usd(job.uid(), Usage.rows(worker.counted(end))) - counted;
    }
    return new JobSpending(
        job.spec().address(), job.maxUsd().orElse(Double.POSITIVE_INFINITY), spent, untilEnd);
  }

  /** The same with another limit. */
  public JobSpending within(double other) {
    return new JobSpending(address, other, spent, untilEnd);
  }

  /** What the rows say of a job, as its limit counts it. */
  public static double usd(String job, Collection<Usage.Row> rows) {
    return rows.stream()
        .filter(row -> row.job().filter(job::equals).isPresent() && isItsOwn(row.purpose()))
        .mapToDouble(row -> row.usd().orElse(0.0))
        .sum();
  }

  /** What it lost for a job of a higher priority it did not spend. */
  public static boolean isItsOwn(MachineUsage.Purpose purpose) {
    return purpose != MachineUsage.Purpose.OUTRANKED;
  }

  /** Whether the job is stopped now, because at the next tick it would be too late. */
  public boolean isReached() {
    return spent + untilEnd > maxUsd - PoolVeto.PRICE_TOLERANCE;
  }

  /** Whether people are told that it will be. */
  public boolean isNear() {
    return spent >= maxUsd * NEAR;
  }

  /** Whether nothing may be spent any more. */
  public boolean isUsedUp() {
    return spent > maxUsd - PoolVeto.PRICE_TOLERANCE;
  }

  /** Why the job is stopped. */
  public String whyStopped() {
    var more =
        untilEnd <= 0
            ? ""
            : ", and %s more until they have ended"
                .formatted(
                    untilEnd < CENT && maxUsd >= CENT
                        ? "less than " + HumanAmounts.usd(CENT)
                        : "up to " + HumanAmounts.exactUsd(untilEnd));
    return "its maxUsd of %s is reached: its tasks cost %s%s; what is done stays done, and with more money the others run: %s"
        .formatted(HumanAmounts.exactUsd(maxUsd), HumanAmounts.exactUsd(spent), more, remedy());
  }

  /** What people are told before. */
  public String whyTold() {
    return "its tasks cost %s of its maxUsd of %s, at which it is stopped; to let it go on: %s"
        .formatted(HumanAmounts.exactUsd(spent), HumanAmounts.exactUsd(maxUsd), remedy());
  }

  /** Why it does not run again. */
  public String whyNotRetried() {
    return "of %s is used up: the tasks of job %s cost %s; write more: %s"
        .formatted(HumanAmounts.exactUsd(maxUsd), address, HumanAmounts.exactUsd(spent), remedy());
  }

  /** Twice as much, and enough to work beside what is kept for the end of all that it had. */
  private String remedy() {
    var more = Math.max(2 * Math.max(maxUsd, spent), spent + ENDS * untilEnd);
    return "mayfly retry %s --max-usd %s".formatted(address, number(more));
  }

  private static String number(double amount) {
    if (amount >= 1)
      return amount == Math.rint(amount)
          ? String.valueOf((long) amount)
          : String.format(Locale.ROOT, "%.2f", amount);
    var text = String.format(Locale.ROOT, "%.6f", amount);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
