package dev.mayfly.core.control;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a due time to workers that no function instance has one for (it died before it wrote), so
 * that their silence can be judged, and deletes what dead instances left.
 */
final class BeatCare {
  private static final Duration STALE = Duration.ofMinutes(15);

  private final Ports ports;
  private final Rules rules;

  BeatCare(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
  }

  void look(String cluster, List<Stored<Worker>> workers, Troubles troubles) {
    var now = ports.clock().instant();
    Optional<Stored<Beats>> ours = Optional.empty();
    var heard = new HashMap<String, Instant>();
    var writes = new ArrayList<Write>();
    var found = ports.ledger().query(new Query.AllBeats(cluster));
    var broken = false;
    // An instance that lives writes its own anew at once; of another nothing can be known.
    found.unreadable().forEach(troubles::unreadable);
    for (var unknown : found.unreadable())
      if (unknown.id().equals(DueTimes.ROUNDS)) broken = true;
      else writes.add(new Write.Delete(new Key.OfBeats(cluster, unknown.id())));
    for (var stored : found.some()) {
      var beats = stored.value();
      if (beats.instance().equals(DueTimes.ROUNDS)) ours = Optional.of(stored);
      else if (dead(beats, now)) writes.add(new Write.Delete(beats.key()));
      else beats.due().forEach((name, at) -> heard.merge(name, at, (a, b) -> a.isAfter(b) ? a : b));
    }
    var before = ours.map(b -> b.value().due()).orElse(Map.of());
    var due = unheard(workers, heard, before, now);
    if (broken || !due.equals(before))
      writes.addFirst(
          due.isEmpty()
              ? new Write.Delete(new Key.OfBeats(cluster, DueTimes.ROUNDS))
              // Another round may be at it: of two the one that read last counts.
              : new Renewable<>(ours, broken).next(new Beats(cluster, DueTimes.ROUNDS, now, due)));
    if (!writes.isEmpty())
      ports.ledger().commit(writes.subList(0, Math.min(writes.size(), BatchSize.MOST)));
  }

  private static boolean dead(Beats beats, Instant now) {
    return beats.due().values().stream().allMatch(at -> at.plus(STALE).isBefore(now))
        && beats.writtenAt().plus(STALE).isBefore(now);
  }

  private Map<String, Instant> unheard(
      List<Stored<Worker>> workers,
      Map<String, Instant> heard,
      Map<String, Instant> ours,
      Instant now) {
    var due = new HashMap<String, Instant>();
    for (var stored : workers) {
      var worker = stored.value();
      if (!speaks(worker.state())) continue;
      for (var speaker : Hosts.speakers(worker))
        if (!inThisLife(heard.get(speaker), worker))
          due.put(speaker, ours.getOrDefault(speaker, now.plus(rules.beat())));
    }
    return due;
  }

  /** What is left of a worker's earlier life is no due time of the one that came back. */
  private static boolean inThisLife(@Nullable Instant due, Worker worker) {
    return due != null && worker.firstSyncAt().filter(first -> first.isAfter(due)).isEmpty();
  }

  private static boolean speaks(WorkerState state) {
    return state instanceof WorkerState.Ready || state instanceof WorkerState.Draining;
  }
}
