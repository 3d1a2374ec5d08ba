package dev.mayfly.local.ledger;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import java.time.Instant;
import java.util.Locale;

/**
 * The columns of a document for queries, beside its path.
 *
 * @param job of a shard; a job's name; the message that an event is about
 * @param word the document's state, the subject of an event, or the owner of a job's name
 * @param open tasks of a shard; notifications that an event owes
 * @param number the sort key: a shard's start, otherwise the document's sort time in microseconds
 */
record QueryColumns(
    String kind,
    String cluster,
    String job,
    String word,
    long number,
    long open,
    long done,
    long failed) {
  static QueryColumns of(LedgerDocument ledgerDocument) {
    return switch (ledgerDocument) {
      case Cluster c -> plain("cluster", "", word(c.phase()), c.createdAt());
      case ClusterName n -> plain("cluster-name", "", "", Instant.EPOCH);
      case Worker w -> plain("worker", w.cluster(), word(w.state().getClass()), w.createdAt());
      case WorkerHost h -> plain("worker-host", h.cluster(), "", h.firstSyncAt());
      case Job j -> plain("job", j.cluster(), word(j.state().getClass()), j.submittedAt());
      case JobName n ->
          new QueryColumns("job-name", n.cluster(), n.name(), n.owner().orElse(""), 0, 0, 0, 0);
      case Schedule s -> plain("schedule", s.cluster(), word(s.state()), s.lastCommandAt());
      case Shard s ->
          new QueryColumns(
              "shard",
              s.cluster(),
              s.job(),
              word(s.state()),
              s.start(),
              s.open(),
              s.done().count(),
              s.failedAlone());
      case TaskAddition a -> plain("addition", a.cluster(), "", a.at());
      case JobQueue t -> plain("job-queue", t.cluster(), "", t.at());
      case ChangeSignal p -> plain("change-signal", p.cluster(), "", p.work());
      case ServingHistory s -> plain("serving-history", s.cluster(), "", Instant.EPOCH);
      case Heartbeats b -> plain("heartbeats", b.cluster(), "", b.writtenAt());
      case EventRecord e ->
          new QueryColumns(
              "event",
              e.cluster(),
              e.messageId().orElse(""),
              e.about(),
              micros(e.at()),
              e.notification().isPresent() ? 1 : 0,
              0,
              0);
      case Usage.Month m -> plain("usage-month", m.cluster(), m.id(), Instant.EPOCH);
      case Usage u -> plain("usage", u.cluster(), "", Instant.EPOCH);
      case Stockout s -> plain("stockout", "", "", Instant.EPOCH);
      case RejectedMessage r -> plain("rejection", "", "", r.at());
      case TickSchedule t -> plain("tick-schedule", "", word(t.want()), t.since());
      case TpuCreateQuota c -> plain("tpu-create-quota", "", "", Instant.EPOCH);
    };
  }

  private static QueryColumns plain(String kind, String cluster, String word, Instant at) {
    return new QueryColumns(kind, cluster, "", word, micros(at), 0, 0, 0);
  }

  static long micros(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000L), at.getNano() / 1000);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String word(Class<?> state) {
    return state.getSimpleName().toLowerCase(Locale.ROOT);
  }
}
