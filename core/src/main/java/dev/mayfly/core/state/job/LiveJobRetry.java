package dev.mayfly.core.state.job;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.function.UnaryOperator;

/** A retry of a job that runs or waits, which changes nothing but its limits. */
public record LiveJobRetry(Ledger ledger) {
  /**
   * Recorded even if there is nothing to do, so that a repeat of the message does nothing either.
   *
   * @param raise the job with the limits that the retry names
   */
  public void record(JobLookup.Named found, UnaryOperator<Job> raise, Instant at) {
    var named = found.name();
    var next = named.value().withRetry(at, named.value().live());
    var writes = new ArrayList<LedgerWrite>();
    writes.add(new LedgerWrite.Update(next, named.version()));
    var raised = raise.apply(found.job().value());
    if (!raised.equals(found.job().value()))
      writes.add(new LedgerWrite.Update(raised, found.job().version()));
    if (!ledger.commit(writes).done())
      throw new UnavailableException(
          "the name " + next.name() + " is being changed; the message is delivered again");
  }
}
