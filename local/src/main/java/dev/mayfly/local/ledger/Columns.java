package dev.mayfly.local.ledger;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import java.time.Instant;
import java.util.Locale;

/**
 * What queries need to know of a document beside its path.
 *
 * @param word its state, or what an event is about
 * @param number the order: a shard's start, otherwise microseconds of the time that the document is
 *     sorted by
 */
record Columns(
    String kind,
    String cluster,
    String job,
    String word,
    long number,
    long open,
    long done,
    long failed) {
  static Columns of(Document document) {
    return switch (document) {
      case Cluster c -> plain("cluster", "", word(c.phase()), c.createdAt());
      case ClusterName n -> plain("cluster-name", "", "", Instant.EPOCH);
      case Worker w -> plain("worker", w.cluster(), word(w.state().getClass()), w.createdAt());
      case WorkerHost h -> plain("worker-host", h.cluster(), "", h.firstSyncAt());
      case Job j -> plain("job", j.cluster(), word(j.state().getClass()), j.submittedAt());
      case JobName n -> plain("job-name", n.cluster(), "", Instant.EPOCH);
      case Shard s ->
          new Columns(
              "shard",
              s.cluster(),
              s.job(),
              word(s.state()),
              s.start(),
              s.open(),
              s.done().count(),
              s.failed().count());
      case Turns t -> plain("turns", t.cluster(), "", t.at());
      case Pulse p -> plain("pulse", p.cluster(), "", p.work());
      case Served s -> plain("served", s.cluster(), "", Instant.EPOCH);
      case Beats b -> plain("beats", b.cluster(), "", b.writtenAt());
      case Event e -> plain("event", e.cluster(), e.about(), e.at());
      case Stockout s -> plain("stockout", "", "", Instant.EPOCH);
      case Rejection r -> plain("rejection", "", "", r.at());
      case Ticks t -> plain("ticks", "", word(t.want()), t.since());
      case Creations c -> plain("creations", "", "", Instant.EPOCH);
    };
  }

  private static Columns plain(String kind, String cluster, String word, Instant at) {
    var micros =
        Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000L), at.getNano() / 1000);
    return new Columns(kind, cluster, "", word, micros, 0, 0, 0);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String word(Class<?> state) {
    return state.getSimpleName().toLowerCase(Locale.ROOT);
  }
}
