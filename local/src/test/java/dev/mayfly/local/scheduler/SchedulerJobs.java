package dev.mayfly.local.scheduler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.scheduler.v1.Job;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.google.protobuf.util.Timestamps;
import dev.mayfly.local.os.DocumentFolder;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All jobs of Cloud Scheduler. A change is durable before it is visible. Runs that were due while
 * this process was down are skipped.
 */
final class SchedulerJobs {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerJobs.class);

  private final DocumentFolder folder;
  private final SchedulerTarget schedulerTarget;
  private final InstantSource clock;
  private final Duration minute;
  private final Map<String, Job> jobs = new TreeMap<>();
  private long lastMinute;

  /**
   * @param minute the length of a cron minute here; less than 60 s speeds up time
   */
  SchedulerJobs(
      DocumentFolder folder,
      SchedulerTarget schedulerTarget,
      InstantSource clock,
      Duration minute) {
    this.folder = folder;
    this.schedulerTarget = schedulerTarget;
    this.clock = clock;
    this.minute = minute;
    this.lastMinute = minuteOf(clock.instant());
    folder.read().values().forEach(this::load);
  }

  synchronized Job create(String parent, Job asked) {
    check(asked);
    if (!asked.getName().startsWith(parent + "/jobs/")) {
      throw invalid("Job name '" + asked.getName() + "' must begin with " + parent + "/jobs/");
    }
    if (jobs.containsKey(asked.getName())) {
      throw Status.ALREADY_EXISTS
          .withDescription("Job " + asked.getName() + " already exists")
          .asRuntimeException();
    }
    return put(asked.toBuilder().setState(Job.State.ENABLED).build());
  }

  synchronized Job get(String name) {
    return Optional.ofNullable(jobs.get(name))
        .orElseThrow(
            () -> Status.NOT_FOUND.withDescription("Job not found: " + name).asRuntimeException());
  }

  synchronized List<Job> list(String parent) {
    return jobs.values().stream().filter(job -> job.getName().startsWith(parent + "/")).toList();
  }

  synchronized void delete(String name) {
    jobs.remove(get(name).getName());
    folder.delete(file(name));
  }

  /** Sets the state; idempotent. */
  synchronized Job setState(String name, Job.State state) {
    return put(get(name).toBuilder().setState(state).build());
  }

  /** Publishes at once, even if the job is paused. */
  synchronized Job run(String name) {
    return fire(get(name));
  }

  /** Publishes for each job that became due since the last call. */
  synchronized void publishDue() {
    var now = minuteOf(clock.instant());
    if (now == lastMinute) {
      return;
    }
    lastMinute = now;
    var time = LocalDateTime.ofEpochSecond(now * 60, 0, ZoneOffset.UTC);
    for (var job : List.copyOf(jobs.values())) {
      if (job.getState() == Job.State.ENABLED && CronSchedule.of(job.getSchedule()).matches(time)) {
        fire(job);
      }
    }
  }

  private long minuteOf(Instant time) {
    return time.toEpochMilli() / minute.toMillis();
  }

  private Job fire(Job job) {
    var target = job.getPubsubTarget();
    try {
      schedulerTarget.publish(
          target.getTopicName(), target.getData().toByteArray(), target.getAttributesMap());
    } catch (IOException e) {
      LOG.warn("Job {} cannot publish; it retries at its next time", job.getName(), e);
    }
    var now = Timestamps.fromMillis(clock.instant().toEpochMilli());
    return put(job.toBuilder().setLastAttemptTime(now).build());
  }

  private static void check(Job asked) {
    if (!asked.hasPubsubTarget()) {
      throw Status.UNIMPLEMENTED
          .withDescription("Only jobs with a Pub/Sub target are supported")
          .asRuntimeException();
    }
    try {
      CronSchedule.of(asked.getSchedule());
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
    if (!asked.getTimeZone().isEmpty() && !asked.getTimeZone().matches("Etc/UTC|UTC")) {
      throw invalid("Time zone '" + asked.getTimeZone() + "' is not supported; write Etc/UTC");
    }
  }

  private static RuntimeException invalid(String why) {
    return Status.INVALID_ARGUMENT.withDescription(why).asRuntimeException();
  }

  private Job put(Job job) {
    try {
      folder.write(file(job.getName()), JsonFormat.printer().print(job));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Cannot print job " + job.getName(), e);
    }
    jobs.put(job.getName(), job);
    return job;
  }

  private void load(String json) {
    var job = Job.newBuilder();
    try {
      JsonFormat.parser().ignoringUnknownFields().merge(json, job);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored job cannot be read: " + json, e);
    }
    jobs.put(job.getName(), job.build());
  }

  private static String file(String name) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(UTF_8));
  }
}
