package dev.mayfly.sim.world;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.HookedLedger;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Faults between one function instance and the ledger. */
final class LedgerFaults implements HookedLedger.Faults {
  /**
   * Documents that a newer version may write in a form unknown to an older one. A sync needs none
   * of them: otherwise chance, by the answering version, would decide about an agent's silence.
   */
  private static final List<Predicate<LedgerDocument>> NEWER_DOCUMENTS =
      List.of(
          d -> d instanceof Job j && j.state() instanceof JobState.Finishing,
          d -> d instanceof Job j && j.state().ended(),
          JobName.class::isInstance,
          d -> d instanceof Shard s && s.state() == Shard.State.ENDED,
          d -> d instanceof Worker w && w.state() instanceof WorkerState.Lost,
          d -> d instanceof Worker w && w.state() instanceof WorkerState.Booting);

  private final World world;
  private final boolean old;
  private final Predicate<LedgerDocument> newFormat;

  /**
   * @param old whether the instance has the previous version
   */
  LedgerFaults(World world, boolean old) {
    this.world = world;
    this.old = old;
    // The same choice for all instances of a world.
    newFormat = world.dice().of("versions").pick(NEWER_DOCUMENTS);
  }

  @Override
  public boolean contended() {
    return world.weather().strikes(Fault.LEDGER_CONFLICT);
  }

  /**
   * The delay plus the commit's timeout stay below the allowed age of a job's document at a grant:
   * a later batch would be refused.
   */
  @Override
  public Optional<Duration> late() {
    return world.weather().strikes(Fault.LEDGER_COMMIT_LATE)
        ? Optional.of(world.weather().dice(Fault.LEDGER_COMMIT_LATE).millis(50, 4_500))
        : Optional.empty();
  }

  @Override
  public boolean unknown(LedgerDocument ledgerDocument) {
    if (!old || !world.weather().has(Fault.OLD_INSTANCE) || !newFormat.test(ledgerDocument))
      return false;
    world.weather().recordStrike(Fault.OLD_INSTANCE, ledgerDocument.key().path());
    return true;
  }
}
