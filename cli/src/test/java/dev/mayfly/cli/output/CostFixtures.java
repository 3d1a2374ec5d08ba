package dev.mayfly.cli.output;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.core.query.cost.Waste;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** What the cluster {@code lab} costs: a job, and what is no job's. */
public final class CostFixtures {
  private static final LocalDate MAY = LocalDate.parse("2026-05-01");

  private CostFixtures() {}

  public static ClusterCost cost() {
    return unworded().inWords(false);
  }

  /** As an older control plane answers. */
  public static ClusterCost unworded() {
    var job =
        group(
            "reddit", Optional.of("j1"), usd(9, 90), usd(1.5, 15), usd(0, 0), usd(0, 0), usd(0, 0));
    var rest =
        group(
            "(no job)",
            Optional.empty(),
            usd(0, 0),
            usd(0, 0),
            usd(0.3, 3),
            usd(2, 20),
            usd(0.003, 1));
    var total =
        group(
            "total",
            Optional.empty(),
            usd(9, 90),
            usd(1.5, 15),
            usd(0.3, 3),
            usd(2, 20),
            usd(0.003, 1));
    return new ClusterCost(
        "lab",
        "",
        CostBy.JOB,
        MAY,
        ViewFixtures.NOW,
        0.3,
        3,
        0,
        usd(1.204, 12),
        usd(12.803, 129),
        Optional.of(500.0),
        total,
        List.of(job, rest),
        List.of(),
        List.of(),
        List.of());
  }

  public static ClusterCost ofJob() {
    var job =
        group("total", Optional.empty(), usd(9, 90), usd(1.5, 15), usd(0, 0), usd(0, 0), usd(0, 0));
    var all = cost();
    return new ClusterCost(
            "lab",
            "reddit",
            CostBy.DAY,
            MAY,
            ViewFixtures.NOW,
            0.3,
            3,
            0,
            all.today(),
            all.month(),
            Optional.empty(),
            job,
            List.of(),
            List.of(),
            List.of(),
            List.of())
        .inWords(false);
  }

  /** The same of machines without a price. */
  public static ClusterCost unpriced() {
    var hours = new MachineCost(0, 4, 4);
    var none = MachineCost.NONE;
    var total = group("total", Optional.empty(), hours, none, none, none, none);
    return new ClusterCost(
            "lab",
            "",
            CostBy.POOL,
            MAY,
            ViewFixtures.NOW,
            0,
            2,
            2,
            hours,
            hours,
            Optional.empty(),
            total,
            List.of(total),
            List.of("worker lab-cpu-x cannot be read"),
            List.of(),
            List.of())
        .inWords(false);
  }

  private static CostGroup group(
      String name,
      Optional<String> uid,
      MachineCost tasks,
      MachineCost lost,
      MachineCost boot,
      MachineCost idle,
      MachineCost end) {
    // A part of the tasks failed.
    var failed = lost.hours() > 0 ? usd(0.5, 5) : MachineCost.NONE;
    var well = usd(tasks.usd() - failed.usd(), tasks.hours() - failed.hours());
    var total = tasks.plus(lost).plus(boot).plus(idle).plus(end);
    return new CostGroup(
        name,
        uid,
        total,
        failed.hours() > 0 ? well : tasks,
        lost,
        Optional.of(failed),
        boot,
        idle,
        end,
        Optional.of(
                List.of(
                    new Waste(Waste.Cause.IDLE, idle),
                    new Waste(Waste.Cause.PREEMPTED, lost),
                    new Waste(Waste.Cause.FAILED, failed),
                    new Waste(Waste.Cause.BOOT, boot),
                    new Waste(Waste.Cause.END, end)))
            .map(CostFixtures::paid));
  }

  private static List<Waste> paid(List<Waste> all) {
    return all.stream().filter(it -> it.cost().hours() > 0).toList();
  }

  private static MachineCost usd(double usd, double hours) {
    return new MachineCost(usd, hours, 0);
  }
}
