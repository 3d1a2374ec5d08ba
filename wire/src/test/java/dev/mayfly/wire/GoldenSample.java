package dev.mayfly.wire;

import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
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
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import dev.mayfly.wire.schema.RecordSchema;
import dev.mayfly.wire.text.KebabCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * What Mayfly writes, for itself or as an answer of its read API: a name, which its schema and its
 * golden sample have too.
 *
 * <p>After a change of a record run this module's tests with {@code -Dtest.jvm=-Dgolden=write},
 * read what changed, and say in a decision record how documents that are stored already will be
 * read.
 */
enum GoldenSample {
  STORED_CLUSTER(Cluster.class, "clusters/{uid}: a cluster as it is stored"),
  STORED_CLUSTER_NAME(
      ClusterName.class, "names/cluster.{name}: which cluster has the name, if one ever did"),
  STORED_WORKER(Worker.class, "clusters/{uid}/workers/{worker}: one schedulable machine"),
  STORED_WORKER_HOST(
      WorkerHost.class, "clusters/{uid}/workers/{worker}/hosts/{i}: one more VM of a slice"),
  STORED_JOB(Job.class, "clusters/{uid}/jobs/{job}: a job as it is stored"),
  STORED_JOB_NAME(
      JobName.class,
      "clusters/{uid}/names/job.{owner}.{name}, or job.{name}: which job has the name"),
  STORED_SCHEDULE(
      Schedule.class,
      "clusters/{uid}/schedules/{owner}.{name}, or {name}: a job that is submitted again and again"),
  STORED_SHARD(Shard.class, "clusters/{uid}/jobs/{job}/shards/{start}: a range of a job's tasks"),
  STORED_TASK_ADDITION(
      TaskAddition.class,
      "clusters/{uid}/jobs/{job}/additions/{id}: tasks that a message added to an open job"),
  STORED_JOB_QUEUE(JobQueue.class, "clusters/{uid}/control/job-queue: whose turn it is"),
  STORED_CHANGE_SIGNAL(
      ChangeSignal.class, "clusters/{uid}/control/change-signal: news for waiting calls"),
  STORED_SERVING_HISTORY(
      ServingHistory.class, "clusters/{uid}/control/serving-history: when syncs could be served"),
  STORED_HEARTBEATS(
      Heartbeats.class, "clusters/{uid}/heartbeats/{instance}: when each worker is due"),
  STORED_EVENT(EventRecord.class, "clusters/{uid}/events/{id}: what happened and why"),
  STORED_USAGE(
      Usage.class, "clusters/{uid}/usage/{id}: what machines were used for on a day, and its cost"),
  STORED_MONTH(
      Usage.Month.class, "clusters/{uid}/months/{id}: what a month's days add up to, and no more"),
  STORED_STOCKOUT(Stockout.class, "stockouts/{zone+type}: when the cloud had none"),
  STORED_REJECTION(
      RejectedMessage.class, "rejections/{messageId}: a refused message with its errors"),
  STORED_TICK_SCHEDULE(
      TickSchedule.class, "deployment/tick-schedule: whether the ticks should run"),
  STORED_TPU_CREATE_QUOTA(
      TpuCreateQuota.class, "deployment/tpu-create-quota: the TPUs asked for lately"),
  SYNC_REPORT(SyncReport.class, "what an agent posts to /v1/sync"),
  SYNC_ORDERS(SyncOrders.class, "what it is answered"),
  TRIGGER(Trigger.class, "a message from Mayfly to itself: a place to look at"),
  NOTIFICATION(
      Notification.class, "a message to people: an ended job, a lost reservation or a bad node"),
  TASK(TaskItem.class, "a line of a task list object"),
  SENTINEL(Sentinel.class, "the body of <output>.COMPLETE"),
  OUTCOME(TaskOutcome.class, "a line of an outcome object"),
  METRICS(MetricsRow.class, "a line of the history of an attempt's metrics"),
  VIEW_CLUSTER(ClusterStatus.class, "the read API: a cluster"),
  VIEW_WORKER(WorkerStatus.class, "the read API: a worker"),
  VIEW_JOB(JobStatus.class, "the read API: a job"),
  VIEW_EXPLANATION(JobExplanation.class, "the read API: why a job is where it is"),
  VIEW_ESTIMATE(
      JobEstimate.class, "the read API: when a job may start and be done, and its cost until then"),
  VIEW_TASK(TaskStatus.class, "the read API: a task"),
  VIEW_TASKS(TaskPage.class, "the read API: some of a job's tasks, and where the next page begins"),
  VIEW_ADDITION(TaskAdditionStatus.class, "the read API: tasks that were added to an open job"),
  VIEW_EVENT(EventRecord.class, "the read API: what happened and why"),
  VIEW_REJECTION(RejectedMessage.class, "the read API: a refused message with its errors"),
  VIEW_COST(ClusterCost.class, "the read API: what the machines of a cluster cost"),
  VIEW_CLEANUP(CleanupPlan.class, "the read API: what cleanup would delete now");

  static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");
  static final Path SCHEMAS = Path.of("../schemas");

  private final Class<?> type;
  private final String about;

  GoldenSample(Class<?> type, String about) {
    this.type = type;
    this.about = about;
  }

  Class<?> type() {
    return type;
  }

  /** Whether it is a document of the ledger. */
  boolean isStored() {
    return name().startsWith("STORED_");
  }

  RecordSchema.Subject subject() {
    return new RecordSchema.Subject(type, file(), about, isStored());
  }

  String file() {
    return KebabCase.of(this);
  }

  Path schema() {
    return SCHEMAS.resolve(file() + ".schema.json");
  }

  Path sample() {
    return SCHEMAS.resolve("samples/valid/" + file() + ".json");
  }

  /** The value of the golden sample. */
  static <T> T of(Class<T> type) {
    var goldenSample =
        Arrays.stream(values()).filter(g -> g.type == type).findFirst().orElseThrow();
    return Wire.shared().read(type, bytes(goldenSample.sample()));
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
