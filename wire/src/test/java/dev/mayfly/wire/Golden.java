package dev.mayfly.wire;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.wire.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * What Mayfly writes for itself: a name, which its schema and its golden sample have too.
 *
 * <p>After a change of a record run this module's tests with {@code -Dtest.jvm=-Dgolden=write},
 * read what changed, and say in a decision record how documents that are stored already will be
 * read.
 */
enum Golden {
  STORED_CLUSTER(Cluster.class, "clusters/{uid}: a cluster as it is stored"),
  STORED_CLUSTER_NAME(ClusterName.class, "names/cluster.{name}: which cluster has the name"),
  STORED_WORKER(Worker.class, "clusters/{uid}/workers/{worker}: one schedulable machine"),
  STORED_WORKER_HOST(
      WorkerHost.class, "clusters/{uid}/workers/{worker}/hosts/{i}: one more VM of a slice"),
  STORED_JOB(Job.class, "clusters/{uid}/jobs/{job}: a job as it is stored"),
  STORED_JOB_NAME(JobName.class, "clusters/{uid}/names/job.{name}: which job has the name"),
  STORED_SHARD(Shard.class, "clusters/{uid}/jobs/{job}/shards/{start}: a range of a job's tasks"),
  STORED_TURNS(Turns.class, "clusters/{uid}/control/turns: whose turn it is"),
  STORED_PULSE(Pulse.class, "clusters/{uid}/control/pulse: news for waiting calls"),
  STORED_SERVED(Served.class, "clusters/{uid}/control/served: when syncs could be served"),
  STORED_BEATS(Beats.class, "clusters/{uid}/beats/{instance}: when each worker is due"),
  STORED_EVENT(Event.class, "clusters/{uid}/events/{id}: what happened and why"),
  STORED_STOCKOUT(Stockout.class, "stockouts/{zone+type}: when the cloud had none"),
  STORED_REJECTION(Rejection.class, "rejections/{messageId}: a refused message with its errors"),
  STORED_TICKS(Ticks.class, "deployment/ticks: whether the ticks should run"),
  STORED_CREATIONS(Creations.class, "deployment/creations: the TPUs asked for lately"),
  SYNC_REPORT(SyncReport.class, "what an agent posts to /v1/sync"),
  SYNC_ORDERS(SyncOrders.class, "what it is answered"),
  HINT(Hint.class, "a message from Mayfly to itself: a place to look at"),
  TASK(TaskItem.class, "a line of a task list object"),
  SENTINEL(Sentinel.class, "the body of <output>.COMPLETE"),
  OUTCOME(TaskOutcome.class, "a line of an outcome object");

  static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");
  static final Path SCHEMAS = Path.of("../schemas");

  private final Class<?> type;
  private final String about;

  Golden(Class<?> type, String about) {
    this.type = type;
    this.about = about;
  }

  Class<?> type() {
    return type;
  }

  String about() {
    return about;
  }

  String file() {
    return Words.of(this);
  }

  Path schema() {
    return SCHEMAS.resolve(file() + ".schema.json");
  }

  Path sample() {
    return SCHEMAS.resolve("samples/valid/" + file() + ".json");
  }

  /** The value of the golden sample. */
  static <T> T of(Class<T> type) {
    var golden = Arrays.stream(values()).filter(g -> g.type == type).findFirst().orElseThrow();
    return Wire.shared().read(type, bytes(golden.sample()));
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean writes() {
    return "write".equals(System.getProperty("golden"));
  }
}
