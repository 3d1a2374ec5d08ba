package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.task.Computation;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Which output without a sentinel may become a task's result although another attempt stored it:
 * only one of the same computation. That is an attempt of the same job since its submission or last
 * retry, of the same task, from the same code, command and input.
 *
 * <p>Such an attempt's agent ended between the upload and the sentinel, or still runs elsewhere.
 * Any other output was left by an earlier job, or its sentinel was deleted so that the task runs
 * again.
 */
record Adoption(JobInfo jobInfo, TaskItem item) {
  private static final String SINCE = "mayfly-since";
  private static final String CRC = "mayfly-crc32c";

  /** What an upload says of the present run of its job. */
  static Map<String, String> metadata(JobInfo jobInfo) {
    return jobInfo
        .since()
        .map(Instant::toString)
        .map(since -> Map.of(SINCE, since))
        .orElse(Map.of());
  }

  /**
   * The attempt that stored it, if the task may take it.
   *
   * @param made what this attempt was made from
   */
  Optional<Sentinel.By> by(ObjectInfo found, MadeFrom made) {
    return candidate(found).filter(_ -> MadeFrom.of(found.metadata()).equals(made));
  }

  /** The same for a task that has not started: its input is looked at only if all else is equal. */
  Optional<Sentinel.By> by(ObjectInfo found, ObjectStore objectStore) {
    return candidate(found).filter(_ -> MadeFrom.of(found.metadata()).equals(present(objectStore)));
  }

  private MadeFrom present(ObjectStore objectStore) {
    return Computation.of(jobInfo, item, InputGeneration.of(objectStore, item));
  }

  private Optional<Sentinel.By> candidate(ObjectInfo found) {
    var since = Optional.ofNullable(found.metadata().get(SINCE));
    return Sentinel.by(found.metadata())
        .filter(_ -> isIntact(found))
        .filter(by -> by.job().equals(jobInfo.job()) && by.task() == item.index())
        .filter(_ -> since.equals(jobInfo.since().map(Instant::toString)));
  }

  /** Whether an upload's bytes match the checksum that its attempt announced. */
  private static boolean isIntact(ObjectInfo upload) {
    var announced = upload.metadata().get(CRC);
    return announced == null || upload.crc32c().isEmpty() || announced.equals(upload.crc32c());
  }
}
