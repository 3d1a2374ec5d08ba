package dev.mayfly.core.state.job;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** A retry of a job that runs or waits, which changes nothing but its limit. */
public record LiveJobRetry(Ledger ledger, SpendingCheck spendingCheck) {
  /**
   * Recorded even if there is nothing to do, so that a repeat of the message does nothing either.
   */
  public void record(JobLookup.Named found, Optional<Double> maxUsd, Instant at) {
    var named = found.name();
    var next = named.value().withRetry(at, named.value().live());
    var writes = new ArrayList<LedgerWrite>();
    writes.add(new LedgerWrite.Update(next, named.version()));
    if (maxUsd.isPresent()) {
      var raised = spendingCheck.affordable(found.job().value(), maxUsd);
      writes.add(new LedgerWrite.Update(raised, found.job().version()));
    }
    if (!ledger.commit(writes).done())
      throw new UnavailableException(
          "the name " + next.name() + " is being changed; the message is delivered again");
  }
}
