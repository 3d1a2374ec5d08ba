package dev.mayfly.core.model.document;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.CountedProgress;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code clusters/{uid}/jobs/{job}}: a job as it is stored.
 *
 * @param uid hash of the submission's id
 * @param hash names its spec for agents; unique for each job, whatever its content
 * @param submittedAt when the message was published
 * @param image what its image's tag resolved to at the first pull
 * @param followedUntil until when its logs are followed, as far as is known
 * @param retriedAt when the newest retry of the ended job was published
 * @param progress how far it was at the last count, while it runs or is being stopped; absent
 *     before the first one
 * @param startedAt when the jobs that it waited for had ended; absent if it waited for none
 * @param spending what it has cost, if its {@code maxUsd} limits that; absent before its first
 *     machine has ended
 * @param runTime since when it runs, and how long it may; absent before a tick of a job with such a
 *     limit has seen its first task
 * @param kept machines that were kept last because a task failed there for good; absent without any
 */
public record Job(
    String cluster,
    String uid,
    JobSpec spec,
    String hash,
    JobState state,
    JobTasks tasks,
    Instant submittedAt,
    Instant acceptedAt,
    Optional<PinnedImage> image,
    Optional<Instant> followedUntil,
    Optional<Instant> retriedAt,
    Optional<CountedProgress> progress,
    Optional<Instant> startedAt,
    Optional<Spending> spending,
    Optional<AdmissionRules.RunTime> runTime,
    Optional<List<KeptMachine>> kept)
    implements LedgerDocument {
  /** Tasks in one task list object; task i is in object i / CHUNK. */
  public static final int CHUNK = 1_000;

  /**
   * What a job with a {@code maxUsd} has cost. Its spec stays as it was submitted.
   *
   * @param endedUsd its tasks on machines whose time has moved to the usage of its day
   * @param maxUsd what it may cost since a retry raised it
   */
  public record Spending(double endedUsd, Optional<Double> maxUsd) {}

  /**
   * A machine that is kept with the folder of a failed attempt.
   *
   * @param task the index of the one that failed there
   * @param until when that ends at the latest
   */
  public record KeptMachine(String worker, long task, Instant until) {}

  public Job {
    kept = kept.map(List::copyOf);
  }

  /**
   * The hash of the job with that uid and content. Agents cache a job by it: another job with the
   * same content has other tasks and places.
   */
  public static String hash(String uid, String content) {
    return Sha256.of(uid + "/" + content);
  }

  /** Never retried. */
  public Job(
      String cluster,
      String uid,
      JobSpec spec,
      String hash,
      JobState state,
      JobTasks tasks,
      Instant submittedAt,
      Instant acceptedAt,
      Optional<PinnedImage> image,
      Optional<Instant> followedUntil) {
    this(
        cluster,
        uid,
        spec,
        hash,
        state,
        tasks,
        submittedAt,
        acceptedAt,
        image,
        followedUntil,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether this is its content, as it was submitted. */
  public boolean hasContent(String content) {
    return hash.equals(hash(uid, content));
  }

  @Override
  public DocumentKey.OfJob key() {
    return new DocumentKey.OfJob(cluster, uid);
  }

  public Job with(JobState next) {
    return copy(c -> {
      c.state = next;
      switch (next) {
        case JobState.Running _, JobState.Stopping _, JobState.Finishing _ -> {}
        case JobState.Waiting _, JobState.Expanding _, JobState.Ended _ ->
            c.progress = Optional.empty();
      }
    });
  }

  public Job withSpec(JobSpec now) {
    return copy(c -> c.spec = now);
  }

  public Job withTasks(JobTasks listed) {
    return copy(c -> c.tasks = listed);
  }

  public Job withImage(PinnedImage exact) {
    return copy(c -> c.image = Optional.of(exact));
  }

  /** Records that a user follows its logs. */
  public Job withFollowedUntil(Instant time) {
    return copy(c -> c.followedUntil = Optional.of(time));
  }

  /** Records that it runs again after its end. */
  public Job withRetry(Instant published) {
    return copy(c -> c.retriedAt = Optional.of(published));
  }

  /** Records that what it waited for has ended. */
  public Job withStart(Instant now) {
    return copy(c -> c.startedAt = Optional.of(now));
  }

  /**
   * Since when nothing but a lack of machines kept its tasks, or those of its retry, from running.
   */
  public Instant mayRunSince() {
    return retriedAt.or(() -> startedAt).orElse(acceptedAt);
  }

  /** Records how far it is. */
  public Job withProgress(CountedProgress counted) {
    return copy(c -> c.progress = Optional.of(counted));
  }

  /** Records what its tasks cost on machines that were added up. */
  public Job withEndedUsd(double more) {
    var was = spent();
    return copy(c -> c.spending = Optional.of(new Spending(was.endedUsd() + more, was.maxUsd())));
  }

  /** Records that it may cost so much in all, whatever its spec says. */
  public Job withMaxUsd(double usd) {
    return copy(c -> c.spending = Optional.of(new Spending(spent().endedUsd(), Optional.of(usd))));
  }

  /** What its tasks may cost in all. */
  public Optional<Double> maxUsd() {
    return spending.flatMap(Spending::maxUsd).or(() -> spec.admission().maxUsd());
  }

  /** What it has cost on machines that were added up. */
  public Spending spent() {
    return spending.orElse(new Spending(0, Optional.empty()));
  }

  /** Records since when it runs, and how long it may. */
  public Job withRunTime(AdmissionRules.RunTime next) {
    return copy(c -> c.runTime = Optional.of(next));
  }

  /** Those whose time is not over, though some may have ended early. */
  public List<KeptMachine> kept(Instant now) {
    return kept.orElse(List.of()).stream().filter(it -> it.until().isAfter(now)).toList();
  }

  public Job withKept(List<KeptMachine> machines) {
    return copy(c -> c.kept = Optional.of(machines));
  }

  private Job copy(Consumer<Copy> change) {
    var copy = new Copy(this);
    change.accept(copy);
    return new Job(
        cluster,
        uid,
        copy.spec,
        hash,
        copy.state,
        copy.tasks,
        submittedAt,
        acceptedAt,
        copy.image,
        copy.followedUntil,
        copy.retriedAt,
        copy.progress,
        copy.startedAt,
        copy.spending,
        copy.runTime,
        copy.kept);
  }

  /** The parts of a job that change. */
  private static final class Copy {
    private JobSpec spec;
    private JobState state;
    private JobTasks tasks;
    private Optional<PinnedImage> image;
    private Optional<Instant> followedUntil;
    private Optional<Instant> retriedAt;
    private Optional<CountedProgress> progress;
    private Optional<Instant> startedAt;
    private Optional<Spending> spending;
    private Optional<AdmissionRules.RunTime> runTime;
    private Optional<List<KeptMachine>> kept;

    Copy(Job job) {
      spec = job.spec;
      state = job.state;
      tasks = job.tasks;
      image = job.image;
      followedUntil = job.followedUntil;
      retriedAt = job.retriedAt;
      progress = job.progress;
      startedAt = job.startedAt;
      spending = job.spending;
      runTime = job.runTime;
      kept = job.kept;
    }
  }

  /** Since when its present attempts run: an output of before is none of theirs. */
  public Instant since() {
    return retriedAt.orElse(submittedAt);
  }

  /** The spec as its tasks run in that cluster now. */
  public JobSpec effectiveSpec(ClusterSpec there) {
    var asWritten = spec.in(there);
    return image
        .filter(exact -> asWritten.run().image().equals(Optional.of(exact.image())))
        .map(asWritten::in)
        .orElse(asWritten);
  }

  /**
   * How many of its tasks are known: all, or those that its document names or that were listed when
   * it ended before the list was complete.
   */
  public long knownTasks() {
    if (tasks.count() > 0 || tasks.open().isPresent()) return tasks.count();
    return switch (spec.tasks()) {
      case TaskSource.Count c -> c.count();
      case TaskSource.Items i -> i.items().size();
      case TaskSource.Open o -> o.items().size();
      case TaskSource.Listed _, TaskSource.Gather _, TaskSource.ItemsFile _ ->
          tasks.listed().orElse(0L);
    };
  }

  /** The job when it ends before all of its tasks are in shards: it keeps what was listed. */
  public Job keepingListed() {
    return state instanceof JobState.Expanding e && e.cut() < 0 && e.counted() > 0
        ? withTasks(JobTasks.unfinished(e.counted()))
        : this;
  }

  /** Where its name is stored. */
  public DocumentKey.OfJobName nameKey() {
    return new DocumentKey.OfJobName(cluster, spec.owner(), spec.name());
  }

  public boolean running() {
    return state instanceof JobState.Running;
  }

  /** Whether a user reads its logs now. */
  public boolean isFollowed(Instant now) {
    return followedUntil.filter(now::isBefore).isPresent();
  }
}
