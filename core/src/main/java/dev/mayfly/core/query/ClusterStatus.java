package dev.mayfly.core.query;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.plan.share.Sharing;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster as users see it.
 *
 * @param workers number of workers by state
 * @param used what tasks use of {@code total}
 * @param accelerators the same of GPUs and TPUs, by kind
 * @param jobs that have not ended
 * @param problems current problems, a sentence each
 * @param idle which machines are kept although they do nothing, why, and what they cost, a sentence
 *     each
 * @param schedules the jobs that are submitted again and again, by name
 * @param sharing how owners share it; empty if there is nobody to share with
 */
public record ClusterStatus(
    String name,
    String uid,
    String phase,
    long generation,
    Instant createdAt,
    ClusterSpec spec,
    Map<String, Integer> workers,
    List<PoolView> pools,
    Resources used,
    Resources total,
    List<AcceleratorUse> accelerators,
    int jobs,
    List<String> problems,
    List<String> idle,
    List<ScheduleStatus> schedules,
    Optional<Sharing> sharing) {
  public ClusterStatus {
    accelerators = List.copyOf(accelerators);
    idle = List.copyOf(idle);
    schedules = List.copyOf(schedules);
  }

  /**
   * @param live launching, booting or ready
   * @param wanted how many it would have now if every zone had machines: for tasks that run or
   *     wait, and for its minimum; empty in a list of clusters
   * @param withoutContainers why its machines run no containers, with the remedy
   * @param withoutSubmitters why its tasks submit no jobs, with the remedy
   */
  public record PoolView(
      String name,
      String machineType,
      String provisioning,
      int live,
      Optional<Integer> wanted,
      int min,
      int max,
      Optional<String> withoutContainers,
      Optional<String> withoutSubmitters) {}
}
