package dev.mayfly.bench;

import java.util.List;

/**
 * {@code testing/bench/run [NAME...]}: runs the named benchmarks, or all short ones, and prints
 * each result with the command that repeats it. {@code --list} prints the names.
 */
public final class Main {
  private static final List<Benchmark> BENCHES =
      List.of(
          new Benchmark(
              "operations",
              "ledger operations of a job beside their budget, simulated",
              () -> LedgerBudgetBenchmark.lines(false)),
          new Benchmark(
              "places",
              "the same, with the code that causes them",
              () -> LedgerBudgetBenchmark.lines(true)),
          new Benchmark(
              "places-busy",
              "1,024 workers with four tasks of five minutes at a time, by place",
              LedgerBudgetBenchmark::busy),
          new Benchmark(
              "plans",
              "how long a pure plan takes for a thousand workers and more",
              PlannerBenchmark::lines),
          new Benchmark(
              "worst",
              "how long the most expensive messages take to read",
              WorstMessageBenchmark::lines),
          new Benchmark("cost", "costs at list price, simulated", () -> CostTable.lines(false)),
          new Benchmark("cost-days", "only the two days of 1,024 workers", CostTable::days),
          new Benchmark(
              "places-taken",
              "the day of 1,024 workers of which one is preempted each two seconds, by place",
              LedgerBudgetBenchmark::taken),
          new Benchmark(
              "cost-million",
              "the same with a job of a million tasks, which takes 20 minutes",
              () -> CostTable.lines(true)));

  private static final List<String> SHORT = List.of("operations", "plans", "cost");

  private Main() {}

  public static void main(String[] args) {
    var names = args.length == 0 ? SHORT : List.of(args);
    if (names.contains("--list")) {
      BENCHES.forEach(b -> System.out.println(b.name() + ": " + b.about()));
      return;
    }
    if (names.getFirst().equals(ColdMessageBenchmark.COMMAND)) {
      ColdMessageBenchmark.lines(names.subList(1, names.size())).forEach(System.out::println);
      return;
    }
    for (var name : names) run(name);
  }

  private static void run(String name) {
    var found = BENCHES.stream().filter(b -> b.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      System.err.println(
          "testing/bench/run: there is no " + name + "; testing/bench/run --list prints the names");
      System.exit(2);
      return;
    }
    System.out.println("<!-- testing/bench/run " + name + ": " + found.get().about() + " -->");
    found.get().lines().get().forEach(System.out::println);
  }
}
