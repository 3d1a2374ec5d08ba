package dev.mayfly.core.plan.share;

import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How owners share, in words. */
public final class ShareText {
  /** More owners are counted. */
  private static final int MOST = 12;

  private ShareText() {}

  /** Who of these is served next, and why. */
  public static String turns(
      int priority, List<OwnerShare> owners, Optional<LaterTurn> later, Instant now) {
    var equal = owners.stream().allMatch(it -> it.weight() == owners.getFirst().weight());
    var past = owners.stream().anyMatch(it -> it.machines().isPresent());
    var each = owners.stream().map(it -> of(it, owners, equal)).collect(Collectors.joining(", "));
    return "owners of priority %d take turns, the one %s%s first: %s%s"
        .formatted(
            priority,
            past ? "with the least use, now and lately," : "with the fewest running tasks",
            equal ? "" : " for each share",
            each,
            later.map(it -> "; " + later(it, now)).orElse(""));
  }

  private static String of(OwnerShare share, List<OwnerShare> all, boolean equal) {
    return share.words()
        + " "
        + share.running()
        + (equal ? "" : " with " + part(share, all))
        + share
            .usedLately(all)
            .map(it -> " (used %s of their share lately)".formatted(percent(it)))
            .orElse("");
  }

  /** For example {@code 3 of 4 shares}. */
  private static String part(OwnerShare share, List<OwnerShare> all) {
    return "%s of %s shares"
        .formatted(HumanAmounts.number(share.weight()), number(OwnerShare.weights(all)));
  }

  /** With two decimals at most. */
  private static String number(double some) {
    return HumanAmounts.number(Math.rint(some * 100) / 100);
  }

  /** For example {@code 12 %}. */
  private static String percent(double part) {
    return Math.round(part * 100) + " %";
  }

  /** What all of them have, what they run, and what they used lately. */
  static String all(List<OwnerShare> owners, Optional<Duration> halfLife) {
    var each =
        owners.stream()
            .limit(MOST)
            .map(it -> sentence(it, owners))
            .collect(Collectors.joining("; "));
    var more = owners.size() - MOST;
    return each
        + (more > 0 ? "; and " + HumanAmounts.count(more, "more owner") : "")
        + halfLife
            .map(it ->
                "; after %s half of what was used is forgotten".formatted(HumanDuration.format(it)))
            .orElse("; past use does not count");
  }

  private static String sentence(OwnerShare share, List<OwnerShare> all) {
    return "%s: %s, %s%s"
        .formatted(
            share.words(),
            part(share, all),
            HumanAmounts.count(share.running(), "running task"),
            share
                .machines()
                .map(it ->
                    ", used %s on average lately%s"
                        .formatted(
                            number(it.lately()) + (it.lately() == 1 ? " machine" : " machines"),
                            share
                                .usedLately(all)
                                .map(part -> " (%s of their share)".formatted(percent(part)))
                                .orElse("")))
                .orElse(""));
  }

  /** Why an owner waits whom what runs now alone would serve. */
  private static String later(LaterTurn turn, Instant now) {
    return "%s used more lately: the next task of %s that ends in %s or later leaves its room to %s, if both run what they run now; half of what was used is forgotten after %s"
        .formatted(
            turn.owner().words(),
            turn.other().words(),
            HumanDuration.between(now, turn.until()),
            turn.owner().words(),
            HumanDuration.format(turn.halfLife()));
  }
}
