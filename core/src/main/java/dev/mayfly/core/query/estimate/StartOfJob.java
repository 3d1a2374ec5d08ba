package dev.mayfly.core.query.estimate;

import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * When a waiting job starts, by the queue as it may go on; and otherwise why that is unknown.
 *
 * @param names of the queue's jobs, by index
 * @param pools whose machines come and that none is known of, how long they take to boot
 * @param vetoes why the job waits, the root first
 */
record StartOfJob(
    RestOfQueue queue, List<String> names, List<String> pools, List<Veto> vetoes, Instant now) {
  /** Jobs that are named. */
  private static final int NAMED = 3;

  private static final double MILLIS = 1_000;

  /** Equal seeds give equal starts. */
  JobStart start(long seed) {
    return made().orElseGet(() -> queued(seed));
  }

  /** When tasks end so that it has their room. */
  private Optional<JobStart> made() {
    return vetoes.stream()
        .filter(ComingVeto.RoomMade.class::isInstance)
        .flatMap(veto -> VetoText.of(veto, now).next().stream())
        .filter(until -> until.isAfter(now))
        .findFirst()
        .map(until ->
            JobStart.of(
                new JobStart.Spread(now, until), "when the tasks end that make room for it", now));
  }

  private JobStart queued(long seed) {
    return queue
        .spread(new SplittableRandom(seed))
        .map(spread ->
            JobStart.of(
                new JobStart.Spread(after(spread.least()), after(spread.most())), basis(), now))
        .orElseGet(() -> JobStart.unknown(why(seed)));
  }

  private Instant after(double seconds) {
    return now.plusMillis(Math.round(seconds * MILLIS));
  }

  private String basis() {
    var parts = new ArrayList<String>();
    var before = before(_ -> true);
    if (!before.isEmpty())
      parts.add("tasks of %s take what those took that ended".formatted(jobs(before)));
    var coming = usable().stream().flatMap(it -> it.coming().stream()).toList();
    coming.stream()
        .mapToDouble(RestOfQueue.Coming::from)
        .filter(from -> from > 0)
        .min()
        .ifPresent(from ->
            parts.add(
                "machines are ordered again in "
                    + HumanDuration.result(Duration.ofSeconds(Math.round(from)))));
    if (!coming.isEmpty())
      parts.add(
          "machines that come boot as %s before"
              .formatted(
                  HumanAmounts.count(
                      coming.stream().mapToInt(it -> it.boots().seen().size()).max().orElse(0),
                      "other")));
    if (parts.isEmpty()) return "a machine has room for it";
    return "if " + String.join(", and ", parts);
  }

  private List<RestOfQueue.Machine> usable() {
    return queue.jobs().get(queue.job()).machines().stream().map(queue.machines()::get).toList();
  }

  /** The jobs that have, or come before it to, machines that it may use. */
  private List<Integer> before(Predicate<RestOfQueue.Queued> which) {
    return IntStream.range(0, queue.jobs().size())
        .filter(i -> i != queue.job() && which.test(queue.jobs().get(i)))
        .filter(i -> (i < queue.job() && queue.jobs().get(i).waiting() > 0) || holds(i))
        .boxed()
        .toList();
  }

  private boolean holds(int job) {
    return usable().stream()
        .anyMatch(machine -> machine.running().stream().anyMatch(task -> task.job() == job));
  }

  private String jobs(List<Integer> some) {
    var named = some.stream().limit(NAMED).map(names::get).toList();
    var more = some.size() - named.size();
    return (some.size() == 1 ? "job " : "jobs ")
        + String.join(", ", named)
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  /** The first of what would have to be known for a start to be so. */
  private String why(long seed) {
    var unknown = before(it -> it.durations().isEmpty());
    if (!unknown.isEmpty() && queue.withDurations().spread(new SplittableRandom(seed)).isPresent())
      return "it waits for tasks of %s, of which none has ended yet".formatted(jobs(unknown));
    if (!pools.isEmpty() && queue.withBoots().spread(new SplittableRandom(seed)).isPresent())
      return "no machine of pool %s has booted yet to say how long it takes"
          .formatted(String.join(", ", pools));
    return vetoes.stream()
        .findFirst()
        .map(veto -> VetoText.of(veto, now))
        .map(text ->
            text.next()
                .map(at -> lasts(text.kind(), HumanDuration.between(now, at)))
                .orElse("nobody knows when this changes: " + text.kind()))
        .orElse("nothing says what it waits for");
  }

  /** Of a cordon the end is known, and that a person may end it before. */
  private static String lasts(String kind, String time) {
    return kind.equals("cordoned")
        ? "its machines take tasks again in %s, unless they are uncordoned before".formatted(time)
        : "nobody knows how long this lasts: %s; the next try is in %s".formatted(kind, time);
  }
}
