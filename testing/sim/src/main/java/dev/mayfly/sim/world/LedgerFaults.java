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

/** What goes wrong between one function instance and the ledger. */
final class LedgerFaults implements HookedLedger.Faults {
  /**
   * Of which a newer version may write something that an older one does not know. None is what an
   * agent's call needs: which version answers it is chance, and so would its silence be.
   */
  private static final List<Predicate<LedgerDocument>> NEWS =
      List.of(
          d -> d instanceof Job j && j.state() instanceof JobState.Finishing,
          d -> d instanceof Job j && j.state().ended(),
          JobName.class::isInstance,
          d -> d instanceof Shard s && s.state() == Shard.State.ENDED,
          d -> d instanceof Worker w && w.state() instanceof WorkerState.Lost,
          d -> d instanceof Worker w && w.state() instanceof WorkerState.Booting);

  private final World world;
  private final boolean old;
  private final Predicate<LedgerDocument> news;

  /**
   * @param old whether the instance is of the version before
   */
  LedgerFaults(World world, boolean old) {
    this.world = world;
    this.old = old;
    // The same for all instances of a world.
    news = world.dice().of("versions").pick(NEWS);
  }

  @Override
  public boolean contended() {
    return world.weather().strikes(Fault.LEDGER_CONFLICT);
  }

  /**
   * The commit and its time limit together are shorter than what a job's document may be older than
   * a lease: a batch that comes later than that is refused.
   */
  @Override
  public Optional<Duration> late() {
    return world.weather().strikes(Fault.LEDGER_COMMIT_LATE)
        ? Optional.of(world.weather().dice(Fault.LEDGER_COMMIT_LATE).millis(50, 4_500))
        : Optional.empty();
  }

  @Override
  public boolean unknown(LedgerDocument ledgerDocument) {
    if (!old || !world.weather().has(Fault.OLD_INSTANCE) || !news.test(ledgerDocument))
      return false;
    world.weather().recordStrike(Fault.OLD_INSTANCE, ledgerDocument.key().path());
    return true;
  }
}
