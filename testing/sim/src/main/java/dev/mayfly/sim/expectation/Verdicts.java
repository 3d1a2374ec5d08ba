package dev.mayfly.sim.expectation;

import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares a result with what was expected. */
public final class Verdicts {
  private static final double HUNDRED = 100;
  private static final String NOTHING = "nothing";

  private final ExperimentResult result;

  private Verdicts(ExperimentResult result) {
    this.result = result;
  }

  /** A verdict on each expectation, in their order. */
  public static List<Verdict> of(List<Expectation> expectations, ExperimentResult result) {
    var verdicts = new Verdicts(result);
    return expectations.stream().map(verdicts::of).toList();
  }

  private Verdict of(Expectation expectation) {
    return switch (expectation) {
      case Expectation.Starts(var job, var bound) ->
          time(job + " begins", bound, after(job(job), job(job).started()));
      case Expectation.Ends(var job, var bound) ->
          time(job + " ends", bound, after(job(job), job(job).ended()));
      case Expectation.State(var job, var state) ->
          Verdict.of(
              "%s is %s".formatted(job, state), job(job).state().equals(state), job(job).state());
      case Expectation.Says(var job, var text) ->
          Verdict.of(
              "%s says '%s'".formatted(job, text),
              job(job).reason().filter(it -> it.contains(text)).isPresent(),
              job(job).reason().orElse(NOTHING));
      case Expectation.Waits waits -> waits(waits);
      case Expectation.Refused(var text) ->
          Verdict.of(
              "'%s' is refused".formatted(text),
              result.refused().stream().anyMatch(it -> it.contains(text)),
              list(result.refused()));
      case Expectation.Tasks(var job, var counted, var bound) ->
          number(
              "%s, tasks %s: %s".formatted(job, word(counted), bound.words(Verdicts::count)),
              bound,
              count(job(job), counted),
              Verdicts::count);
      case Expectation.AtOnce atOnce -> atOnce(atOnce);
      case Expectation.Machines machines -> machines(machines);
      case Expectation.Cost(var bound) ->
          number(
              "cost: " + bound.words(HumanAmounts::usd),
              bound,
              result.total().total().usd(),
              HumanAmounts::usd);
      case Expectation.Waste(var bound) ->
          number("waste: " + bound.words(Verdicts::part), bound, waste(), Verdicts::part);
      case Expectation.Ran ran -> ran(ran);
      case Expectation.OneZone(var job) -> oneZone(job(job));
      case Expectation.Order order -> order(order);
    };
  }

  private ExperimentResult.Job job(String name) {
    return result.jobs().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private static Optional<Duration> after(ExperimentResult.Job job, Optional<Duration> moment) {
    return moment.map(it -> it.minus(job.submitted()));
  }

  private static Verdict time(String what, Bound bound, Optional<Duration> seen) {
    var seconds = seen.map(it -> it.toMillis() / 1e3);
    var held = seconds.filter(bound::holds).isPresent();
    return new Verdict(
        "%s after %s".formatted(what, bound.words(Verdicts::duration)),
        held,
        seen.map(it -> held ? HumanDuration.result(it) : told(it, bound)).orElse("never"),
        // What never comes is worse than what comes late.
        seconds.map(bound::excess).orElse(Double.POSITIVE_INFINITY));
  }

  /** All of it where less would read like the limit that it does not keep. */
  private static String told(Duration seen, Bound bound) {
    var text = HumanDuration.result(seen);
    var alike =
        Stream.of(bound.least(), bound.most())
            .flatMap(Optional::stream)
            .anyMatch(it -> HumanDuration.result(millis(it)).equals(text));
    return alike ? HumanDuration.exact(seen) : text;
  }

  private static Duration millis(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static String duration(double seconds) {
    return HumanDuration.exact(millis(seconds));
  }

  private static Verdict number(
      String expected, Bound bound, double seen, DoubleFunction<String> format) {
    return new Verdict(expected, bound.holds(seen), format.apply(seen), bound.excess(seen));
  }

  private static String count(double number) {
    return number == Math.rint(number)
        ? Long.toString(Math.round(number))
        : String.format(Locale.ROOT, "%.2f", number);
  }

  private static String part(double number) {
    return String.format(Locale.ROOT, "%.1f%%", number * HUNDRED);
  }

  private static String word(Enum<?> counted) {
    return counted.name().toLowerCase(Locale.ROOT);
  }

  private static String list(List<String> texts) {
    return texts.isEmpty() ? NOTHING : String.join("; ", texts);
  }

  private Verdict waits(Expectation.Waits waits) {
    var all = job(waits.job()).waits();
    var found =
        all.stream()
            .anyMatch(
                it -> it.kind().equals(waits.reason()) || it.reason().contains(waits.reason()));
    return Verdict.of(
        "%s %s for '%s'"
            .formatted(waits.job(), waits.never() ? "never waits" : "waits", waits.reason()),
        found != waits.never(),
        list(all.stream().map(it -> it.kind() + ": " + it.reason()).toList()));
  }

  private static double count(ExperimentResult.Job job, Expectation.TaskCount counted) {
    return switch (counted) {
      case DONE -> job.done();
      case FAILED -> job.failed();
      case LOST -> job.lost();
    };
  }

  private Verdict atOnce(Expectation.AtOnce atOnce) {
    var seen = seen(atOnce);
    var numbers = seen.isEmpty() ? List.of(0.0) : seen;
    var worst =
        numbers.stream()
            .filter(it -> !atOnce.number().holds(it))
            .findFirst()
            .orElse(numbers.getLast());
    return number(
        "%s%s: %s"
            .formatted(what(atOnce), when(atOnce.span()), atOnce.number().words(Verdicts::count)),
        atOnce.number(),
        worst,
        Verdicts::count);
  }

  /** The numbers that have to be within the bound. */
  private List<Double> seen(Expectation.AtOnce atOnce) {
    var span = atOnce.span();
    if (span.at().isEmpty()) return List.of(most(atOnce.subject()));
    var all =
        result.samples().stream()
            .filter(it -> span.has(it.at()))
            .map(it -> count(atOnce.subject(), it))
            .toList();
    return span.until().isEmpty() ? all.stream().limit(1).toList() : all;
  }

  /** At any moment; of several places together, at one of the moments that were looked at. */
  private double most(Expectation.Subject subject) {
    var looked = result.samples().stream().mapToDouble(it -> count(subject, it)).max().orElse(0);
    var ever =
        switch (subject) {
          case Expectation.Subject.Job(var name) -> job(name).most();
          case Expectation.Subject.Place place ->
              result.machines().stream()
                  .filter(it -> place.has(it.pool(), it.zone()))
                  .mapToInt(ExperimentResult.Machines::most)
                  .max()
                  .orElse(0);
        };
    return Math.max(looked, (double) ever);
  }

  private double count(Expectation.Subject subject, ExperimentResult.Sample sample) {
    return switch (subject) {
      case Expectation.Subject.Job(var name) ->
          sample.running().get(result.jobs().indexOf(job(name)));
      case Expectation.Subject.Place place -> {
        var sum = 0;
        for (var i = 0; i < result.machines().size(); i++) {
          var machines = result.machines().get(i);
          if (place.has(machines.pool(), machines.zone())) sum += sample.machines().get(i);
        }
        yield sum;
      }
    };
  }

  private static String what(Expectation.AtOnce atOnce) {
    return switch (atOnce.subject()) {
      case Expectation.Subject.Job(var name) -> name + ", tasks";
      case Expectation.Subject.Place place -> "machines" + of(place);
    };
  }

  private static String of(Expectation.Subject.Place place) {
    return place.pool().map(it -> " of " + it).orElse("")
        + place.zone().map(it -> " in " + it).orElse("");
  }

  private static String when(Expectation.Span span) {
    if (span.at().isEmpty()) return " at once";
    var at = HumanDuration.exact(span.at().get());
    return span.until().isEmpty()
        ? " at " + at
        : " from %s to %s".formatted(at, HumanDuration.exact(span.until().get()));
  }

  private Verdict machines(Expectation.Machines machines) {
    var seen =
        result.machines().stream()
            .filter(it -> machines.place().has(it.pool(), it.zone()))
            .mapToDouble(it -> count(it, machines.counted()))
            .sum();
    return number(
        "machines%s, %s: %s"
            .formatted(
                of(machines.place()),
                word(machines.counted()),
                machines.number().words(Verdicts::count)),
        machines.number(),
        seen,
        Verdicts::count);
  }

  private static double count(
      ExperimentResult.Machines machines, Expectation.MachineCount counted) {
    return switch (counted) {
      case LAUNCHED -> machines.launched();
      case PREEMPTED -> machines.preempted();
      case REFUSED -> machines.refused();
      case LEFT -> machines.left();
      case HOURS -> machines.hours();
    };
  }

  private double waste() {
    var total = result.total();
    var hours = total.total().hours();
    return hours == 0 ? 0 : 1 - total.tasks().hours() / hours;
  }

  private Verdict ran(Expectation.Ran ran) {
    var seen =
        job(ran.job()).places().stream()
            .map(it -> ran.pools() ? it.pool() : it.zone())
            .distinct()
            .sorted()
            .toList();
    return Verdict.of(
        "%s runs in %s".formatted(ran.job(), String.join(", ", ran.names())),
        seen.equals(ran.names().stream().sorted().toList()),
        String.join(", ", seen));
  }

  private static Verdict oneZone(ExperimentResult.Job job) {
    var zones =
        job.places().stream()
            .map(ExperimentResult.Place::zone)
            .distinct()
            .collect(Collectors.joining(", "));
    return Verdict.of(
        job.name() + " has hosts in one zone at a time", !job.apart() && !zones.isEmpty(), zones);
  }

  private Verdict order(Expectation.Order order) {
    var seen = new ArrayList<String>(order.jobs());
    seen.removeIf(it -> moment(it, order.ends()).isEmpty());
    seen.sort(Comparator.comparing(it -> moment(it, order.ends()).orElseThrow()));
    return Verdict.of(
        "jobs %s in the order %s".formatted(order.ends() ? "end" : "begin", list(order.jobs())),
        seen.equals(order.jobs()) && inOrder(order),
        list(seen));
  }

  /** Of two that begin at one moment none is before the other. */
  private boolean inOrder(Expectation.Order order) {
    var moments = order.jobs().stream().map(it -> moment(it, order.ends()).orElseThrow()).toList();
    return moments.stream().distinct().count() == moments.size();
  }

  private Optional<Duration> moment(String job, boolean ends) {
    return ends ? job(job).ended() : job(job).started();
  }
}
