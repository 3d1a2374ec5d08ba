package dev.mayfly.bench;

import java.util.List;

/**
 * {@code bench/run [NAME...]}: measures what is named, or all that is short, and prints it with the
 * command that measures it again. {@code --list} tells the names.
 */
public final class Main {
  private static final List<Bench> BENCHES =
      List.of(
          new Bench(
              "operations",
              "ledger operations of a job beside their budget, simulated",
              () -> JobBudget.lines(false)),
          new Bench(
              "places",
              "the same, with the places in the program that asked for them",
              () -> JobBudget.lines(true)),
          new Bench(
              "places-busy",
              "1,024 workers with four tasks of five minutes at a time, by place",
              JobBudget::busy),
          new Bench(
              "plans", "how long a pure plan takes for a thousand workers and more", Plans::lines),
          new Bench(
              "worst",
              "how long messages take that were made to cost their reader much",
              WorstMessages::lines),
          new Bench(
              "cost", "what things cost at list price, simulated", () -> CostTable.lines(false)),
          new Bench("cost-days", "the two days of 1,024 workers alone", CostTable::days),
          new Bench(
              "places-taken",
              "the day of 1,024 workers of which one is taken each two seconds, by place",
              JobBudget::taken),
          new Bench(
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
    if (names.getFirst().equals(ColdMessage.COMMAND)) {
      ColdMessage.lines(names.subList(1, names.size())).forEach(System.out::println);
      return;
    }
    for (var name : names) run(name);
  }

  private static void run(String name) {
    var found = BENCHES.stream().filter(b -> b.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      System.err.println(
          "bench/run: there is no " + name + "; bench/run --list tells what there is");
      System.exit(2);
      return;
    }
    System.out.println("<!-- bench/run " + name + ": " + found.get().about() + " -->");
    found.get().lines().get().forEach(System.out::println);
  }
}
