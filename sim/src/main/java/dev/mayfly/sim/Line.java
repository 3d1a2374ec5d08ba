package dev.mayfly.sim;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.sim.fake.SimLedger;
import java.util.stream.Collectors;

/** A change of a document as a line of the trace: nothing in it depends on the order of a map. */
final class Line {
  private Line() {}

  static String of(SimLedger.Change change) {
    var path = change.document().key().path();
    return "wrote " + path + change.after().map(Line::text).orElse(" deleted");
  }

  private static String text(Document document) {
    return switch (document) {
      case Shard s -> shard(s);
      case Worker w -> worker(w);
      case Job j -> " " + j.state();
      default -> "";
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
