package dev.mayfly.cli.simulate;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What a simulation says in sentences, at a terminal and in a file alike. */
final class SimulationText {
  private SimulationText() {}

  /** When jobs have ended, how if not all succeeded, and for how much. */
  static String end(ExperimentResult result) {
    var money = amount(result.total().total());
    var ended =
        "%s jobs have ended after %s"
            .formatted(result.complete() ? "all" : "NOT all", HumanFormat.result(result.took()));
    return result.jobs().stream().allMatch(ExperimentResult.Job::succeeded)
        ? "%s, for %s".formatted(ended, money)
        : "%s: %s; for %s".formatted(ended, states(result), money);
  }

  /** {@code 1 succeeded, 2 failed}. */
  private static String states(ExperimentResult result) {
    return result.jobs().stream()
        .collect(groupingBy(ExperimentResult.Job::state, LinkedHashMap::new, counting()))
        .entrySet()
        .stream()
        .map(it -> HumanFormat.count(it.getValue()) + " " + it.getKey())
        .collect(joining(", "));
  }

  private static String amount(MachineCost cost) {
    if (cost.isUnpriced()) return "machines without a known price";
    var unpriced = cost.unpricedHours() > 0 ? " and machines without a known price" : "";
    return HumanFormat.usd(cost.usd()) + unpriced;
  }

  /** The jobs that failed, were stopped or missed a deadline: told before everything else. */
  static List<String> problems(ExperimentResult result) {
    var all = new ArrayList<String>();
    for (var job : result.jobs()) late(job).ifPresent(it -> all.add(job.name() + ": " + it));
    for (var job : result.jobs())
      if (job.ended().isPresent() && !job.succeeded())
        all.add(
            "%s: %s%s"
                .formatted(job.name(), job.state(), job.reason().map(": "::concat).orElse("")));
    return all;
  }

  /** Machines that go on costing money after the end. */
  static List<String> left(ExperimentResult result) {
    var left = new TreeMap<String, Integer>();
    for (var place : result.machines()) left.merge(place.pool(), place.left(), Integer::sum);
    return left.entrySet().stream()
        .filter(it -> it.getValue() > 0)
        .map(it ->
            "left at the end: %s of pool %s, which go on costing; its workers.min or workers.spare keeps machines"
                .formatted(HumanAmounts.count(it.getValue(), "machine"), it.getKey()))
        .toList();
  }

  private static Optional<String> late(ExperimentResult.Job job) {
    return job.late()
        .map(late ->
            "%s its deadline by %s, %s after its submission"
                .formatted(
                    job.ended().isPresent() ? "missed" : "misses",
                    HumanFormat.result(late),
                    HumanFormat.result(job.deadline().orElseThrow().minus(job.submitted()))));
  }

  /** Why tasks of it waited, and for how long. */
  static List<String> waits(ExperimentResult.Job job) {
    return job.waits().stream()
        .map(wait ->
            "tasks waited %s: %s%s"
                .formatted(
                    HumanFormat.result(wait.time()),
                    wait.kind().isEmpty() ? "" : wait.kind() + ": ",
                    wait.reason()))
        .toList();
  }

  /** How its attempts ended that have no result, if some did. */
  static Optional<String> attempts(ExperimentResult.Job job) {
    return job.attempts().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "attempts without a result: " + HumanFormat.counts(new TreeMap<>(job.attempts())));
  }
}
