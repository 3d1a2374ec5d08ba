package dev.mayfly.bench;

import dev.mayfly.sim.CostSimulation;
import dev.mayfly.sim.fake.UsageCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The cost table in Markdown, counted from the real control plane and agents. */
final class CostTable {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration TASK = Duration.ofMinutes(5);
  private static final int WORKERS = 1_024;

  private record Case(String name, String how, Supplier<CostSimulation.Result> run, boolean aDay) {}

  private CostTable() {}

  /**
   * @param million whether to include the long case
   */
  static List<String> lines(boolean million) {
    var lines = new ArrayList<String>();
    lines.add("List prices of " + ListPrices.DATE + ", no free tier; counted in simulated time.");
    lines.add("");
    lines.add(
        "| what | reads | writes | deletes | messages | invocations | instance vCPU-s | GiB-s |"
            + " ledger $ | functions $ | messages $ | control plane $ | with a multi-region ledger $ | objects $ | logs of syncs, were they kept $ |");
    lines.add("|---|" + "---:|".repeat(14));
    for (var c : cases(million)) lines.add(row(c));
    lines.add("");
    for (var c : cases(million)) lines.add("- " + c.name + ": " + c.how);
    var tick = CostSimulation.tick().counts();
    lines.add(
        "- a tick of a cluster without workers reads %d documents; at most 30 are allowed"
            .formatted(tick.of(UsageCounter.Kind.READ) + tick.of(UsageCounter.Kind.LISTENED)));
    return lines;
  }

  private static List<Case> cases(boolean million) {
    var cases = new ArrayList<Case>();
    cases.add(
        new Case(
            "idle day",
            "a cluster without workers that is ticked each minute, as before its ticks pause:"
                + " one tick counted, times 1,440",
            CostSimulation::tick,
            true));
    cases.add(
        new Case(
            "paused day",
            "the same once they are paused, because there is no work: 24 hourly cleanup runs, which wake autoscale too",
            () -> CostSimulation.paused(24),
            true));
    cases.add(job("the demo job", 48, 4, 2, Duration.ofSeconds(3)));
    cases.add(job("10,000 tasks", 10_000, 64, CostSimulation.SLOTS, Duration.ofSeconds(60)));
    if (million)
      cases.add(
          job("1,000,000 tasks", 1_000_000, WORKERS, CostSimulation.SLOTS, Duration.ofSeconds(60)));
    cases.add(
        new Case(
            "1,024 workers, a day",
            "each with four tasks of five minutes at a time; 20 minutes counted after the first"
                + " 30, times 72",
            () ->
                CostSimulation.steady(
                    WORKERS, TASK, Duration.ofMinutes(30), Duration.ofMinutes(20), false),
            true));
    cases.add(
        new Case(
            "1,024 workers, machines taken, a day",
            "the same while the cloud takes a machine each two seconds, 43,200 a day, and each is replaced;"
                + " 10 minutes counted, times 144",
            () -> stormy(false),
            true));
    return cases;
  }

  /**
   * @param byPlace whether to count by calling code
   */
  static CostSimulation.Result stormy(boolean byPlace) {
    return CostSimulation.preempted(
        WORKERS,
        CostSimulation.instances(WORKERS),
        TASK,
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        Duration.ofSeconds(2),
        byPlace);
  }

  /** Only the two busy days. */
  static List<String> days() {
    return cases(false).stream()
        .filter(c -> c.name.startsWith("1,024"))
        .map(CostTable::row)
        .toList();
  }

  private static Case job(String name, long tasks, int workers, int slots, Duration task) {
    var how =
        String.format(
            Locale.ROOT,
            "%,d tasks of %d s on up to %,d workers of %d slots, from no machine to the end",
            tasks,
            task.toSeconds(),
            workers,
            slots);
    return new Case(name, how, () -> CostSimulation.job(tasks, workers, slots, task, false), false);
  }

  private static String row(Case c) {
    var result = c.run.get();
    var times = c.aDay ? (double) DAY.toMillis() / result.window().toMillis() : 1;
    var n = result.counts();
    var costBreakdown = CostBreakdown.of(n);
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %.4f | %.4f | %.4f | %.4f"
            + " | %.4f | %.4f | %.4f |",
        c.name,
        times * (n.of(UsageCounter.Kind.READ) + n.of(UsageCounter.Kind.LISTENED)),
        times * n.of(UsageCounter.Kind.WRITE),
        times * n.of(UsageCounter.Kind.DELETE),
        times * n.of(UsageCounter.Kind.PUBLISHED),
        times * (n.of(UsageCounter.Kind.DELIVERED) + n.of(UsageCounter.Kind.SYNCED)),
        times * CostBreakdown.seconds(n),
        times * CostBreakdown.gibSeconds(n),
        times * costBreakdown.ledger(),
        times * costBreakdown.functions(),
        times * costBreakdown.messages(),
        times * costBreakdown.control(),
        times * (costBreakdown.control() + (ListPrices.MULTI_REGION - 1) * costBreakdown.ledger()),
        times * costBreakdown.objects(),
        times * costBreakdown.syncLogs());
  }
}
