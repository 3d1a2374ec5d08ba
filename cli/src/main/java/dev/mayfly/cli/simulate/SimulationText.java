package dev.mayfly.cli.simulate;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What a simulation says in sentences, at a terminal and in a file alike. */
final class SimulationText {
  private SimulationText() {}

  /** When jobs have ended, and for how much. */
  static String end(ExperimentResult result) {
    return "%s jobs have ended after %s, for %s"
        .formatted(
            result.complete() ? "all" : "NOT all",
            HumanFormat.duration(result.took()),
            amount(result.total().total()));
  }

  private static String amount(MachineCost cost) {
    if (cost.isUnpriced()) return "machines without a known price";
    var unpriced = cost.unpricedHours() > 0 ? " and machines without a known price" : "";
    return HumanFormat.usd(cost.usd()) + unpriced;
  }

  /** Why tasks of it waited, and for how long. */
  static List<String> waits(ExperimentResult.Job job) {
    return job.waits().stream()
        .map(wait ->
            "tasks waited %s: %s%s"
                .formatted(
                    HumanFormat.duration(wait.time()),
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
