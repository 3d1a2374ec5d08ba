package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Optional;

/** What a machine costs while it does nothing. */
final class IdlePrice {
  private IdlePrice() {}

  /** In words; empty for one that costs nothing more, or whose price is not known. */
  static Optional<String> of(Worker worker) {
    return usd(worker).map(usd -> HumanAmounts.exactUsd(usd) + " an hour");
  }

  /** In US dollars an hour. */
  static Optional<Double> usd(Worker worker) {
    var costs =
        worker.provisioning() != Provisioning.STATIC
            && worker.provisioning() != Provisioning.RESERVED;
    return worker.usage().filter(_ -> costs).flatMap(MachineUsage::usdPerHour);
  }
}
