package dev.mayfly.core.clusters;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.worker.MonthReader;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/** What a cluster's limit by the month does not count, because one of its name was taken down. */
final class EarlierSpending {
  private EarlierSpending() {}

  /**
   * A part of a sentence about the cluster that is brought up; empty if it has no limit by the
   * month, or the one before it cost nothing in this one.
   */
  static String of(
      Ledger ledger, ClusterSpec spec, Optional<VersionedDocument<Cluster>> before, Instant now) {
    if (spec.usdPerMonth().isEmpty() || before.isEmpty()) return "";
    var spent = new MonthReader(ledger).ofEnded(before.get().value().uid(), now);
    if (spent <= 0) return "";
    return "; its limit of %s a month does not count the %s that cluster %s of before cost in %s (UTC)"
        .formatted(
            HumanAmounts.usd(spec.usdPerMonth().get()),
            HumanAmounts.usd(spent),
            before.get().value().spec().name(),
            Usage.Month.id(LocalDate.ofInstant(now, ZoneOffset.UTC)));
  }
}
