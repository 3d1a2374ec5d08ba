package dev.mayfly.bench;

import dev.mayfly.sim.CostSimulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Ledger operations of a job of n tasks on w workers beside their budget, 0.05 n + 50 + 8 w. */
final class LedgerBudgetBenchmark {
  private LedgerBudgetBenchmark() {}

  static List<String> lines(boolean places) {
    var lines = new ArrayList<String>();
    for (var w : List.of(4, 64))
      for (var n : List.of(1_000L, 10_000L)) {
        var result = CostSimulation.job(n, w, CostSimulation.SLOTS, Duration.ofSeconds(5), places);
        var budget = 0.05 * n + 50 + 8 * w;
        var spent = result.counts().operations();
        lines.add(
            String.format(
                Locale.ROOT,
                "%,6d tasks of 5 s, %2d workers: %,7d operations in %,5d s, %.2f of %,.0f",
                n,
                w,
                spent,
                result.window().toSeconds(),
                spent / budget,
                budget));
        result.places().stream().limit(12).forEach(lines::add);
      }
    return lines;
  }

  /** The busy day's operations by calling code, on fewer workers. */
  static List<String> busy() {
    var result =
        CostSimulation.steady(
            1_024, Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ofMinutes(20), true);
    var lines = new ArrayList<String>();
    lines.add(
        "%,d operations in 20 minutes; places since the start:"
            .formatted(result.counts().operations()));
    result.places().stream().limit(25).forEach(lines::add);
    return lines;
  }

  /** The same while machines are preempted, in ten minutes. */
  static List<String> taken() {
    var result = CostTable.stormy(true);
    var lines = new ArrayList<String>();
    lines.add(
        "%,d operations in 10 minutes; places since the start:"
            .formatted(result.counts().operations()));
    result.places().stream().limit(40).forEach(lines::add);
    return lines;
  }
}
