package dev.mayfly.core.plan.veto;

import dev.mayfly.core.text.HumanAmounts;

/** Words the limits of jobs and owners. */
final class LimitText {
  private LimitText() {}

  static VetoText of(LimitVeto veto) {
    return switch (veto) {
      case LimitVeto.OfJob v ->
          new VetoText(
              "concurrency",
              "its concurrency is %,d, and %s".formatted(v.concurrency(), leased(v.leased())));
      case LimitVeto.OfOwner v ->
          new VetoText(
              "owner-concurrency",
              "%s may run %s at once in cluster %s (limits.ownerConcurrency, limits.owners), and %s%s; %s"
                  .formatted(
                      v.owner().isEmpty() ? "jobs without an owner" : "the jobs of " + v.owner(),
                      HumanAmounts.count(v.most(), "task"),
                      v.cluster(),
                      leased(v.leased()),
                      v.before() == 0
                          ? ""
                          : ", and %,d tasks of jobs before it come first".formatted(v.before()),
                      RemedyText.of(Remedies.of(v))));
    };
  }

  private static String leased(long tasks) {
    return HumanAmounts.count(tasks, "task")
        + (tasks == 1 ? " is on a machine" : " are on machines");
  }
}
