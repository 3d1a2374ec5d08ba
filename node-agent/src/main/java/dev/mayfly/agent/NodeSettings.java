package dev.mayfly.agent;

import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.SeedSpec;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All settings of an agent.
 *
 * <p>A key {@code mayfly-work-dir} is an attribute in the machine's metadata; the environment
 * variable {@code MAYFLY_WORK_DIR} overrides it. Durations are written as {@code PT10S}.
 *
 * @param workerInfo the machine's identity, as ordered
 * @param workDir holds everything that the agent keeps on disk; locked by one agent at a time
 * @param host the machine's number in a slice, 0 for a single machine
 * @param address where the other hosts of its slice or gang reach it; empty if the machine's
 *     metadata does not say
 * @param logCap bytes kept of one attempt's log: half from its head, half from its tail
 * @param identity whether calls carry the machine's identity token
 * @param instanceId names the machine where there is no metadata server
 * @param account the service account that a static worker acts as
 * @param submitter how a task is let submit jobs; empty where none may
 * @param users users that tasks run as; empty where tasks run as the agent's user
 */
public record NodeSettings(
    WorkerInfo workerInfo,
    Path workDir,
    int host,
    Optional<String> address,
    long logCap,
    boolean identity,
    Times times,
    SyncTimes pace,
    BootRequirements equipment,
    Optional<String> instanceId,
    Optional<String> account,
    Optional<Submitter> submitter,
    Users users) {
  /**
   * The account that tasks with the right to submit act as, and the URLs that they call.
   *
   * @param region of the control plane
   */
  public record Submitter(
      String account, String apiUrl, String pubsubUrl, Optional<String> region) {}

  /**
   * Names of users on the machine.
   *
   * @param tasks runs tasks
   * @param metadata runs tasks that may reach the metadata server
   */
  public record Users(Optional<String> tasks, Optional<String> metadata) {}

  /**
   * @param killPatience how long SIGKILL is repeated before survivors are reported
   * @param quitPatience maximum time from SIGTERM to the agent's end
   * @param notice how long before a preemption the cloud announces it
   * @param logFirst the interval between the first two pieces of a log, and between all pieces
   *     while the log is followed
   * @param logLast the interval's maximum
   */
  public record Times(
      Duration killPatience,
      Duration quitPatience,
      Duration notice,
      Duration logFirst,
      Duration logLast) {}

  /**
   * What the machine needs before its first task.
   *
   * @param image the cluster's image, pulled before a task needs it
   * @param registries logins by host, each a reference to a secret
   * @param seeds what fills storage, by its name
   * @param mps whether tasks share GPUs by NVIDIA's Multi-Process Service
   */
  public record BootRequirements(
      Optional<String> image,
      Map<String, String> registries,
      List<Mount> mounts,
      Map<String, SeedSpec> seeds,
      boolean mps) {
    public BootRequirements {
      registries = Map.copyOf(registries);
      mounts = List.copyOf(mounts);
      seeds = Map.copyOf(seeds);
    }
  }

  /**
   * Times of the sync protocol; tests use short ones.
   *
   * @param syncInterval the interval between syncs without changes
   * @param waiting the maximum time that a sync may wait for orders
   * @param cutOff how long an agent without leases reaches no control plane until it counts as cut
   *     off
   * @param powerOffAfter from the cut-off to powering off the machine
   */
  public record SyncTimes(
      Duration syncInterval, Duration waiting, Duration cutOff, Duration powerOffAfter) {
    static final SyncTimes DEFAULT =
        new SyncTimes(
            AgentSettings.Syncing.DEFAULT.syncInterval(),
            AgentSettings.Syncing.DEFAULT.waiting(),
            AgentSettings.Silence.DEFAULT.cutOff(),
            AgentSettings.Silence.DEFAULT.powerOffAfter());
  }

  /** All keys that are read from the machine's attributes. */
  public static Set<String> keys() {
    return NodeSettingsReader.keys();
  }

  /** Whether the environment allows asking a metadata server. */
  static boolean hasMetadata(Map<String, String> environment) {
    return !environment.getOrDefault("MAYFLY_METADATA", "on").equals("off");
  }

  /**
   * Reads the settings. Throws {@link dev.mayfly.core.error.InvalidInputException} with all
   * problems at once.
   *
   * @param attributes of the machine; keys that are not Mayfly's are ignored
   * @param environment of this process
   */
  public static NodeSettings from(Map<String, String> attributes, Map<String, String> environment) {
    return new NodeSettingsReader(attributes, environment).settings();
  }
}
