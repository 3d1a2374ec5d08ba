package dev.mayfly.core.plan.budget;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Machines of a cluster that cost by the hour while nobody's job has run or waited for long: those
 * of a warm minimum, of slices made by hand, and idle ones whose {@code idleAfter} is long.
 *
 * @param machines neither people's own nor of a reservation, which cost nothing more, nor ending
 * @param quietSince when the last job ended, or the last command about the cluster was published
 */
public record ForgottenMachines(Cluster cluster, List<Worker> machines, Instant quietSince) {
  /** A cluster that is used each day is quiet for a night. */
  public static final Duration QUIET = Duration.ofHours(12);

  private static final Duration AGAIN = Duration.ofHours(24);

  public ForgottenMachines {
    machines = List.copyOf(machines);
  }

  /** Of the workers those that somebody may have forgotten. */
  public static List<Worker> among(Collection<Worker> workers) {
    return workers.stream()
        .filter(worker -> worker.state().live())
        .filter(worker ->
            worker.provisioning() != Provisioning.STATIC
                && worker.provisioning() != Provisioning.RESERVED)
        .toList();
  }

  /** How many times people are told until now. */
  public long times(Instant now) {
    var overdue = Duration.between(quietSince.plus(QUIET), now);
    return overdue.isNegative() ? 0 : 1 + overdue.dividedBy(AGAIN);
  }

  /** When they are told next. */
  public Instant next(Instant now) {
    return quietSince.plus(QUIET).plus(AGAIN.multipliedBy(times(now)));
  }

  /** What people are told. */
  public String text(Instant now) {
    return "no job has run or waited for %s, since %s, and %s of it %s: %s; mayfly down %s ends all of them"
        .formatted(
            HumanDuration.between(quietSince, now),
            quietSince,
            HumanAmounts.count(machines.size(), "machine"),
            machines.size() == 1 ? "costs " + price() : "cost " + price(),
            String.join(", ", pools()),
            cluster.spec().name());
  }

  /** What they cost an hour, and have cost since then if they were there. */
  public String cost(Instant now) {
    var hours = Duration.between(quietSince, now).toMinutes() / 60.0;
    var usd =
        machines.stream()
            .flatMap(worker -> worker.usage().flatMap(MachineUsage::usdPerHour).stream())
            .mapToDouble(it -> it)
            .sum();
    return "%s of it: %s, about %s since then"
        .formatted(
            HumanAmounts.count(machines.size(), "machine"), price(), HumanAmounts.usd(usd * hours));
  }

  private String price() {
    var prices =
        machines.stream()
            .flatMap(worker -> worker.usage().flatMap(MachineUsage::usdPerHour).stream())
            .toList();
    if (prices.isEmpty()) return "what is not known";
    var usd = HumanAmounts.usd(prices.stream().mapToDouble(it -> it).sum()) + " an hour";
    var others = machines.size() - prices.size();
    return others == 0 ? usd : usd + " and what is not known of %d of them".formatted(others);
  }

  /** How many each pool has, and what ends these alone. */
  private List<String> pools() {
    var counts = new TreeMap<String, Integer>();
    for (var worker : machines) counts.merge(worker.pool(), 1, Integer::sum);
    var texts = new ArrayList<String>();
    counts.forEach((name, n) -> {
      var pool = cluster.spec().pool(name);
      if (pool.filter(PoolSpec::manual).isPresent())
        texts.add("%d of slice %s (mayfly slice delete %s)".formatted(n, name, name));
      else if (pool.filter(it -> it.min() > 0).isPresent())
        texts.add("%d of pool %s (workers.min: 0 in its file)".formatted(n, name));
      else texts.add("%d of pool %s (until idleAfter)".formatted(n, name));
    });
    return texts;
  }
}
