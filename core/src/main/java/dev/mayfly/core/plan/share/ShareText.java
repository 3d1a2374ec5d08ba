package dev.mayfly.core.plan.share;

import dev.mayfly.core.text.HumanAmounts;
import java.util.List;
import java.util.stream.Collectors;

/** How owners share, in words. */
public final class ShareText {
  private ShareText() {}

  /** Who of these is served next, and why. */
  public static String turns(int priority, List<OwnerShare> owners) {
    var equal = owners.stream().allMatch(it -> it.weight() == owners.getFirst().weight());
    var all = owners.stream().mapToDouble(OwnerShare::weight).sum();
    var each =
        owners.stream()
            .map(it -> name(it) + " " + it.running() + (equal ? "" : " with " + of(it, all)))
            .collect(Collectors.joining(", "));
    return "owners of priority %d take turns, the one with the fewest running tasks%s first: %s"
        .formatted(priority, equal ? "" : " for each share", each);
  }

  private static String name(OwnerShare share) {
    return share.owner().isEmpty() ? "jobs without an owner" : share.owner();
  }

  private static String of(OwnerShare share, double all) {
    return "%s of %s shares"
        .formatted(
            HumanAmounts.number(share.weight()), HumanAmounts.number(Math.rint(all * 100) / 100));
  }
}
