package dev.mayfly.sim.spec;

import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.NotificationSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster whose tasks run on the machines themselves, unless more is said. */
public final class ClusterBuilder {
  private final String name;
  private String bucket = "gs://lab";
  private Map<String, String> env = Map.of();
  private List<PoolSpec> pools = List.of();
  private Optional<String> owner = Optional.empty();
  private Map<String, String> secrets = Map.of();
  private Optional<String> image = Optional.empty();
  private Map<String, String> registries = Map.of();
  private List<Mount> mounts = List.of();
  private RolloutSpec rollout = RolloutSpec.DEFAULT;
  private TaskRights allows = TaskRights.NONE;
  private List<String> outputPrefixes = List.of();
  private Optional<Budget> budget = Optional.empty();
  private Optional<SetupSpec> setup = Optional.empty();
  private Optional<List<StorageSpec>> storage = Optional.empty();
  private Optional<ClusterLimits> limits = Optional.empty();
  private Map<String, String> mirrors = Map.of();
  private Optional<NotificationSpec> notifications = Optional.empty();
  private Optional<Duration> unusedAfter = Optional.empty();

  private ClusterBuilder(String name) {
    this.name = name;
  }

  /** In {@code gs://lab}, without pools. */
  public static ClusterBuilder named(String name) {
    return new ClusterBuilder(name);
  }

  /** A copy. */
  public static ClusterBuilder like(ClusterSpec other) {
    return like(other, other.name());
  }

  /** A copy of another name. */
  public static ClusterBuilder like(ClusterSpec other, String name) {
    var copy = new ClusterBuilder(name);
    copy.bucket = other.bucket();
    copy.env = other.env();
    copy.pools = other.pools();
    copy.owner = other.owner();
    copy.secrets = other.secrets();
    copy.image = other.image();
    copy.registries = other.registries();
    copy.mounts = other.mounts();
    copy.rollout = other.rollout();
    copy.allows = other.allows();
    copy.outputPrefixes = other.outputPrefixes();
    copy.budget = other.budget();
    copy.setup = other.setup();
    copy.storage = other.storage();
    copy.limits = other.limits();
    copy.mirrors = other.mirrors();
    copy.notifications = other.notifications();
    copy.unusedAfter = other.unusedAfter();
    return copy;
  }

  public ClusterBuilder bucket(String it) {
    bucket = it;
    return this;
  }

  public ClusterBuilder env(Map<String, String> it) {
    env = it;
    return this;
  }

  public ClusterBuilder pools(PoolSpec... all) {
    return pools(List.of(all));
  }

  public ClusterBuilder pools(List<PoolSpec> all) {
    pools = all;
    return this;
  }

  public ClusterBuilder owner(String it) {
    owner = Optional.of(it);
    return this;
  }

  public ClusterBuilder secrets(Map<String, String> it) {
    secrets = it;
    return this;
  }

  public ClusterBuilder image(Optional<String> it) {
    image = it;
    return this;
  }

  public ClusterBuilder registries(Map<String, String> it) {
    registries = it;
    return this;
  }

  public ClusterBuilder rollout(RolloutSpec it) {
    rollout = it;
    return this;
  }

  public ClusterBuilder allows(TaskRights it) {
    allows = it;
    return this;
  }

  public ClusterBuilder outputPrefixes(List<String> it) {
    outputPrefixes = it;
    return this;
  }

  public ClusterBuilder unusedAfter(Duration it) {
    unusedAfter = Optional.of(it);
    return this;
  }

  public ClusterSpec build() {
    return new ClusterSpec(
        name,
        bucket,
        env,
        pools,
        owner,
        secrets,
        image,
        registries,
        mounts,
        rollout,
        allows,
        outputPrefixes,
        budget,
        setup,
        storage,
        limits,
        mirrors,
        notifications,
        unusedAfter);
  }
}
