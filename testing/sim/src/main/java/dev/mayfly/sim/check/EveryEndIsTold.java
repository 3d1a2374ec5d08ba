package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.notification.NotifiedJob;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * I23: a job's end is committed together with the notification that it owes; every notification
 * owed is told, at least once, by the time that everything is quiet; and nothing else is told.
 */
final class EveryEndIsTold implements Invariant {
  private static final String ID = "I23";

  private final GroundTruth groundTruth;

  /** What is owed, by the event's id. */
  private final TreeMap<String, String> owed = new TreeMap<>();

  private final Set<String> everOwed = new HashSet<>();
  private final Set<String> told = new HashSet<>();

  EveryEndIsTold(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    var ended = new HashSet<String>();
    for (var change : batch) {
      if (change.after().isEmpty()) continue;
      if (change.after().get() instanceof EventRecord event && change.before().isEmpty())
        event.notification().ifPresent(pending -> owe(event, pending, ended));
    }
    for (var change : batch)
      if (endedJob(change.after()).isPresent()
          && endedJob(change.before()).isEmpty()
          && !ended.contains(endedJob(change.after()).get()))
        throw new InvariantViolation(
            ID, "job " + endedJob(change.after()).get() + " ended, and no notification is owed");
  }

  private void owe(EventRecord event, PendingNotification pending, Set<String> ended) {
    owed.put(event.id(), event.about() + " " + event.what());
    everOwed.add(event.id());
    pending.job().map(NotifiedJob::uid).ifPresent(ended::add);
  }

  private static Optional<String> endedJob(Optional<LedgerDocument> document) {
    return document
        .filter(d -> d instanceof Job job && job.state().ended())
        .map(d -> ((Job) d).uid());
  }

  @Override
  public void told(Notification notification) {
    if (!everOwed.contains(notification.id()))
      throw new InvariantViolation(ID, notification + " was told, and no event owed it");
    told.add(notification.id());
  }

  @Override
  public void restored() {
    var there =
        groundTruth.all(EventRecord.class).stream()
            .map(EventRecord::id)
            .collect(Collectors.toSet());
    owed.keySet().retainAll(there);
  }

  @Override
  public void atRest() {
    owed.forEach((id, what) -> {
      if (!told.contains(id))
        throw new InvariantViolation(ID, "long after the last fault nobody was told: " + what);
    });
  }
}
