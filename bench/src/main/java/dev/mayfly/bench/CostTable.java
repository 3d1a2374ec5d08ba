package dev.mayfly.bench;

import dev.mayfly.sim.Metered;
import dev.mayfly.sim.fake.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The table of what things cost, in Markdown: the real control plane and agents, counted. */
final class CostTable {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration TASK = Duration.ofMinutes(5);
  private static final int MANY = 1_024;

  private record Case(String name, String how, Supplier<Metered.Result> run, boolean aDay) {}

  private CostTable() {}

  /**
   * @param million whether the long case is made too
   */
  static List<String> lines(boolean million) {
    var lines = new ArrayList<String>();
    lines.add("List prices of " + Prices.DATE + ", no free tier; counted in simulated time.");
    lines.add("");
    lines.add(
        "| what | reads | writes | deletes | messages | invocations | instance vCPU-s | GiB-s |"
            + " ledger $ | functions $ | messages $ | control plane $ | with a multi-region ledger $ | objects $ |");
    lines.add("|---|" + "---:|".repeat(13));
    for (var c : cases(million)) lines.add(row(c));
    lines.add("");
    for (var c : cases(million)) lines.add("- " + c.name + ": " + c.how);
    var tick = Metered.tick().counts();
    lines.add(
        "- a tick of a cluster without workers reads %d documents; at most 30 are allowed"
            .formatted(tick.of(Tally.Kind.READ) + tick.of(Tally.Kind.LISTENED)));
    return lines;
  }

  private static List<Case> cases(boolean million) {
    var cases = new ArrayList<Case>();
    cases.add(
        new Case(
            "idle day",
            "a cluster without workers that is ticked each minute, as before its ticks pause:"
                + " one tick counted, times 1,440",
            Metered::tick,
            true));
    cases.add(
        new Case(
            "paused day",
            "the same once they are paused, which they are when nothing is left to look after: 24 hourly sweeps",
            () -> Metered.paused(24),
            true));
    cases.add(job("the demo job", 48, 4, 2, Duration.ofSeconds(3)));
    cases.add(job("10,000 tasks", 10_000, 64, Metered.SLOTS, Duration.ofSeconds(60)));
    if (million)
      cases.add(job("1,000,000 tasks", 1_000_000, MANY, Metered.SLOTS, Duration.ofSeconds(60)));
    cases.add(
        new Case(
            "1,024 workers, a day",
            "each with four tasks of five minutes at a time; 20 minutes counted after the first"
                + " 30, times 72",
            () -> Metered.steady(MANY, TASK, Duration.ofMinutes(30), Duration.ofMinutes(20), false),
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

  /** By place, if that is asked for. */
  static Metered.Result stormy(boolean byPlace) {
    return Metered.preempted(
        MANY,
        Metered.instances(MANY),
        TASK,
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        Duration.ofSeconds(2),
        byPlace);
  }

  /** The two busy days alone. */
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
    return new Case(name, how, () -> Metered.job(tasks, workers, slots, task, false), false);
  }

  private static String row(Case c) {
    var result = c.run.get();
    var times = c.aDay ? (double) DAY.toMillis() / result.window().toMillis() : 1;
    var n = result.counts();
    var bill = Bill.of(n);
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %.4f | %.4f | %.4f | %.4f"
            + " | %.4f | %.4f |",
        c.name,
        times * (n.of(Tally.Kind.READ) + n.of(Tally.Kind.LISTENED)),
        times * n.of(Tally.Kind.WRITE),
        times * n.of(Tally.Kind.DELETE),
        times * n.of(Tally.Kind.PUBLISHED),
        times * (n.of(Tally.Kind.DELIVERED) + n.of(Tally.Kind.SYNCED)),
        times * Bill.seconds(n),
        times * Bill.gibSeconds(n),
        times * bill.ledger(),
        times * bill.functions(),
        times * bill.messages(),
        times * bill.control(),
        times * (bill.control() + (Prices.MULTI_REGION - 1) * bill.ledger()),
        times * bill.objects());
  }
}
