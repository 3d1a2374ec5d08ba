package dev.mayfly.core.model.message;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.schedule.ScheduleRule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A user's command. The document's {@code kind} selects the type. */
public sealed interface UserCommand {
  /**
   * @param formerly the name of a cluster to rename as the spec says, unless that was already done
   * @param confirmed that its pools are meant to be as large as they are
   */
  record ApplyCluster(ClusterSpec spec, Optional<String> formerly, boolean confirmed)
      implements UserCommand {}

  /**
   * @param submission an id that the submitter chose, so that a repeated publish creates one job;
   *     by default the message's own id
   * @param schedule when it is submitted again and again; empty for a job that is submitted now
   */
  record SubmitJob(JobSpec spec, Optional<String> submission, Optional<ScheduleRule> schedule)
      implements UserCommand {
    private static final Pattern UID = Pattern.compile("j[0-9a-f]{15}");

    /** One that is submitted now. */
    public SubmitJob(JobSpec spec, Optional<String> submission) {
      this(spec, submission, Optional.empty());
    }

    /** Whether the text is a job's uid, which is then no name. */
    public static boolean isUid(String text) {
      return UID.matcher(text).matches();
    }

    /** A job's uid: a hash of the submission's id, so that a repeat is the same job. */
    public static String uid(String submission) {
      return "j" + Sha256.of(submission).substring(0, 15);
    }
  }

  /** Stops the jobs of that name that were published before this command. */
  record StopJob(String cluster, String job) implements UserCommand {}

  /**
   * Runs tasks again that failed or are inconsistent.
   *
   * @param maxUsd what the job may cost from now on, more than before; empty for the same
   * @param maxRunTime how long the job may take from the start of its first task; empty for as long
   *     as before
   */
  record RetryJob(
      String cluster, String job, Optional<Double> maxUsd, Optional<Duration> maxRunTime)
      implements UserCommand {
    /** With the same limits. */
    public RetryJob(String cluster, String job) {
      this(cluster, job, Optional.empty(), Optional.empty());
    }

    public RetryJob upTo(Optional<Double> usd) {
      return new RetryJob(cluster, job, usd, maxRunTime);
    }

    public RetryJob lasting(Optional<Duration> most) {
      return new RetryJob(cluster, job, maxUsd, most);
    }

    /** Whether it changes no limit. */
    public boolean isPlain() {
      return maxUsd.isEmpty() && maxRunTime.isEmpty();
    }
  }

  /**
   * Pauses, resumes, deletes or runs a schedule.
   *
   * @param schedule its name, or {@code OWNER/NAME}
   */
  record ChangeSchedule(String cluster, String schedule, Action action) implements UserCommand {
    /** What becomes of it. */
    public enum Action {
      PAUSE,
      RESUME,
      DELETE,
      RUN;

      /** As users write it. */
      public String word() {
        return name().toLowerCase(Locale.ROOT);
      }
    }
  }

  /** Stops single tasks of a running job. */
  record StopTasks(String cluster, String job, TaskRanges tasks) implements UserCommand {}

  /** Runs single tasks again that failed or were stopped, with a new budget. */
  record RetryTasks(String cluster, String job, TaskRanges tasks) implements UserCommand {}

  /**
   * Adds tasks to an open job.
   *
   * @param addition an id that the sender chose, so that a repeated publish adds once; by default
   *     the message's own id
   */
  record AddTasks(String cluster, String job, Optional<String> addition, List<NewTask> tasks)
      implements UserCommand {
    /** The most tasks of one message. */
    public static final int MOST = 100;

    public AddTasks {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * A task to add.
   *
   * @param input the URL of its input, if it has one
   */
  record NewTask(Optional<String> input, Map<String, String> variables) {
    public NewTask {
      variables = Map.copyOf(variables);
    }

    /** As the task of that number. */
    public TaskItem numbered(long index) {
      return new TaskItem(index, input, variables);
    }
  }

  /**
   * Closes an open job: it ends when its tasks have.
   *
   * @param additions how many the sender knows of; those on their way are waited for
   */
  record CloseJob(String cluster, String job, Optional<Long> additions) implements UserCommand {}

  /** A user follows the job's logs: they must arrive soon after they are printed. */
  record FollowLogs(String cluster, String job) implements UserCommand {}

  record DownCluster(String cluster) implements UserCommand {}

  record DrainWorker(String cluster, String worker) implements UserCommand {}

  /**
   * Nothing new starts on a machine, or on those of a pool, which then gets no more.
   *
   * @param name of a worker, or of a pool
   * @param lasts after which it ends by itself
   */
  record Cordon(String cluster, String name, Duration lasts) implements UserCommand {}

  /** Ends a cordon before its time. */
  record Uncordon(String cluster, String name) implements UserCommand {}

  /**
   * A static worker joins a pool, or rejoins it.
   *
   * @param worker its name in the pool
   * @param machine identifies the machine and the agent's folder; only the same machine may rejoin
   *     under a name
   * @param nonceHash SHA-256 in hex of a value that only the machine knows
   * @param labels of the machine, beside its pool's
   */
  record JoinWorker(
      String cluster,
      String pool,
      String worker,
      String machine,
      String nonceHash,
      Map<String, String> labels)
      implements UserCommand {
    public JoinWorker {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * Creates a manual slice: TPUs that are kept, even idle, until they are deleted by command.
   *
   * @param name of its new pool; jobs may name it in their pools
   * @param count how many of the type
   * @param reservation that pays, when provisioning is reserved; by default the project's own
   * @param zone by default that of the pool {@code like}, or of one with its TPU generation
   * @param like the pool whose network and runtime it uses
   */
  record CreateSlice(
      String cluster,
      String name,
      String type,
      int count,
      Provisioning provisioning,
      Optional<String> reservation,
      Optional<String> topology,
      Optional<String> zone,
      Optional<String> like)
      implements UserCommand {}

  /** Drains a manual slice and gives its TPUs back. */
  record DeleteSlice(String cluster, String slice) implements UserCommand {}

  /** Turns a manual slice into {@code count} of another type, with as many chips. */
  record ReshapeSlice(String cluster, String slice, String type, int count)
      implements UserCommand {}
}
