package dev.mayfly.agent;

import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that can be told to an agent.
 *
 * <p>A key {@code mayfly-work-dir} is read from the machine's metadata attributes; the environment
 * variable {@code MAYFLY_WORK_DIR} goes before it. Durations are written as {@code PT10S}.
 *
 * @param workerInfo who the machine is, as it was ordered
 * @param workDir everything that the agent keeps on disk is under it; one agent at a time
 * @param host the machine's number in a slice, 0 for a machine of its own
 * @param address where the other hosts of its slice or gang reach it; empty if the machine's
 *     metadata does not say
 * @param logCap how many bytes of one attempt's log are kept: half from its head, half from its
 *     tail
 * @param identity whether calls carry the machine's identity token
 * @param instanceId names the machine where there is no metadata server
 * @param account the service account that a machine of one's own speaks as
 * @param users whom tasks run as; nobody is named where they run as the agent does
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
    Users users) {
  /**
   * Names of users of the machine.
   *
   * @param tasks whom tasks run as
   * @param metadata whom tasks run as that may reach the metadata server
   */
  public record Users(Optional<String> tasks, Optional<String> metadata) {}

  /**
   * @param killPatience for how long SIGKILL is repeated before what is left is reported
   * @param quitPatience from SIGTERM to the end of the agent at the latest
   * @param notice how long before the machine is taken its cloud says so
   * @param logFirst the interval between the first two pieces of a log, and all while it is
   *     followed
   * @param logLast what the interval grows to
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
   * @param image the cluster's, pulled before it is asked for
   * @param registries logins by host, each a reference to a secret
   */
  public record BootRequirements(
      Optional<String> image, Map<String, String> registries, List<Mount> mounts) {
    public BootRequirements {
      registries = Map.copyOf(registries);
      mounts = List.copyOf(mounts);
    }
  }

  /**
   * How it speaks to the control plane; tests use short ones.
   *
   * @param beat how often when there is nothing to tell
   * @param waiting for how long a call may be kept waiting
   * @param cutOff how long it reaches nobody, holding nothing, until it counts as cut off
   * @param powerOffAfter from then to switching the machine off
   */
  public record SyncTimes(
      Duration beat, Duration waiting, Duration cutOff, Duration powerOffAfter) {
    static final SyncTimes DEFAULT =
        new SyncTimes(
            AgentSettings.Syncing.DEFAULT.beat(),
            AgentSettings.Syncing.DEFAULT.waiting(),
            AgentSettings.Silence.DEFAULT.cutOff(),
            AgentSettings.Silence.DEFAULT.powerOffAfter());
  }

  /** Every key that an attribute of the machine can have. */
  public static Set<String> keys() {
    return NodeSettingsReader.keys();
  }

  /** Whether there is a metadata server to ask, by the environment. */
  static boolean hasMetadata(Map<String, String> environment) {
    return !environment.getOrDefault("MAYFLY_METADATA", "on").equals("off");
  }

  /**
   * Reads the settings. Throws {@link dev.mayfly.core.error.InvalidInputException} with every
   * problem at once.
   *
   * @param attributes of the machine; those that are not Mayfly's are left alone
   * @param environment of this process
   */
  public static NodeSettings from(Map<String, String> attributes, Map<String, String> environment) {
    return new NodeSettingsReader(attributes, environment).settings();
  }
}
