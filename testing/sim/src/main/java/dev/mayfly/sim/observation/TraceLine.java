package dev.mayfly.sim.observation;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.sim.fake.SimLedger;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A change of a document as a line of the trace, independent of the order of any map. */
public final class TraceLine {
  private TraceLine() {}

  public static String of(SimLedger.Change change) {
    var path = change.document().key().path();
    return "wrote " + path + change.after().map(TraceLine::text).orElse(" deleted");
  }

  private static String text(LedgerDocument ledgerDocument) {
    return switch (ledgerDocument) {
      case Shard s -> shard(s);
      case Worker w -> worker(w);
      case Job j -> " " + job(j.state());
      case EventRecord e -> " of " + e.about() + ": " + e.why();
      default -> "";
    };
  }

  /** A state whose attempts are sorted, because a map's text has another order in each process. */
  private static String job(JobState state) {
    return switch (state) {
      case JobState.Ended e ->
          "Ended %s at %s: %s, %s, %s, %s"
              .formatted(
                  e.result(),
                  e.since(),
                  e.reason(),
                  e.totals(),
                  new TreeMap<>(e.attempts()),
                  e.outcome());
      case JobState.Finishing f ->
          "Finishing since %s, stopped %s, %s compared, until %s"
              .formatted(
                  f.since(),
                  f.stopped(),
                  f.audited().map(JobState.Audited::tasks),
                  f.workedUntil());
      case JobState.Waiting _, JobState.Expanding _, JobState.Running _, JobState.Stopping _ ->
          state.toString();
    };
  }

  private static String shard(Shard s) {
    return " .."
        + s.end()
        + " "
        + s.state()
        + " epoch "
        + s.epoch()
        + s.owner().map(o -> " of " + o.worker()).orElse("")
        + ", done "
        + s.done().count()
        + ", failed "
        + s.failed().count()
        + s.evidence().stream()
            .map(f -> " " + f.index() + " " + f.attempt() + " " + f.cause() + " " + f.evidence())
            .collect(Collectors.joining());
  }

  private static String worker(Worker w) {
    var held = w.held().stream().map(h -> h.job() + "/" + h.start() + "e" + h.epoch()).toList();
    return " "
        + w.state().getClass().getSimpleName()
        + " epoch "
        + w.epoch()
        + " seq "
        + w.seq()
        + " holds "
        + held;
  }
}
