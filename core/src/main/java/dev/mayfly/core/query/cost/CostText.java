package dev.mayfly.core.query.cost;

import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What costs say to people, for every place that shows them. */
final class CostText {
  private CostText() {}

  /** What the sums are about and how much that is; of a cluster also what it costs now. */
  static List<String> title(ClusterCost cost) {
    var about =
        cost.job().isEmpty()
            ? "cluster " + cost.cluster()
            : "job " + cost.job() + " of cluster " + cost.cluster();
    var all = cost.total().total();
    var sums =
        "%s since %s (UTC): %s for %s"
            .formatted(about, cost.since(), amount(all), machineHours(all.hours()));
    var sentences = new ArrayList<>(List.of(sums));
    if (cost.job().isEmpty()) sentences.add("now " + now(cost));
    waste(cost.total()).ifPresent(sentences::add);
    return sentences;
  }

  /** What was no task's work, its sum first; empty if that is not known, or has no price. */
  static Optional<String> waste(CostGroup total) {
    if (total.waste().isEmpty() || total.total().isUnpriced() || total.total().hours() == 0)
      return Optional.empty();
    var all = total.waste().get();
    if (all.isEmpty()) return Optional.of("no waste");
    var sum = all.stream().mapToDouble(it -> it.cost().usd()).sum();
    var causes =
        all.stream()
            .map(it -> amount(it.cost()) + " " + it.text())
            .collect(Collectors.joining(", "));
    return Optional.of(
        "waste: %s, %s of all cost: %s"
            .formatted(HumanAmounts.usd(sum), part(sum, total.total()), causes));
  }

  private static String part(double usd, MachineCost of) {
    return String.format(Locale.ROOT, "%.0f %%", of.usd() > 0 ? 100 * usd / of.usd() : 0);
  }

  /** What has to be known to read the sums. */
  static List<String> notes(ClusterCost cost, boolean isLaptop) {
    var notes = new ArrayList<String>();
    notes.add(
        isLaptop
            ? "the laptop cloud charges nothing: these are prices of the machines that it imitates, those of the budget or list prices"
            : "prices are those of the budget, or list prices, at the launch of each machine; a bill"
                + " also has disks, networks and storage, and discounts");
    if (cost.total().idle().hours() > 0)
      notes.add(
          "unused are machines without a task and the parts of others that no task takes; a"
              + " timeline's idle time has whole machines alone");
    if (cost.total().total().unpricedHours() > 0)
      notes.add(
          "%s have no price and are not in the sums; budget.prices in the cluster's file gives one"
              .formatted(machineHours(cost.total().total().unpricedHours())));
    cost.leftOut().forEach(it -> notes.add("left out: " + it));
    return notes;
  }

  static String now(ClusterCost cost) {
    if (cost.machines() == 0) return "no machine";
    var machines = HumanAmounts.count(cost.machines(), "machine");
    if (cost.unpricedMachines() == cost.machines()) return machines + " without a known price";
    var unpriced =
        cost.unpricedMachines() == 0
            ? ""
            : String.format(
                Locale.ROOT, ", %,d of them without a known price", cost.unpricedMachines());
    return "%s an hour for %s%s".formatted(HumanAmounts.usd(cost.usdPerHour()), machines, unpriced);
  }

  static String amount(MachineCost cost) {
    return cost.isUnpriced() ? "no known price" : HumanAmounts.usd(cost.usd());
  }

  static String machineHours(double hours) {
    var text = HumanAmounts.hours(hours);
    return text + (text.equals("1") ? " machine hour" : " machine hours");
  }
}
