package dev.mayfly.sim.check;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.PublishedCommand;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * I20: each change of a cluster, slice or job comes from a command published after the command of
 * the previous change, however often and late messages are delivered; and at the end a cluster
 * equals its newest file, or is not up if its newest command is a down.
 */
final class NewestCommandWins implements Invariant {
  private static final String ID = "I20";

  private final GroundTruth groundTruth;
  private final List<PublishedCommand> publishedCommand;

  /** Publication time of the newest command applied to each thing. */
  private final Map<String, Instant> applied = new TreeMap<>();

  /**
   * @param publishedCommand all commands so far; grows
   */
  NewestCommandWins(GroundTruth groundTruth, List<PublishedCommand> publishedCommand) {
    this.groundTruth = groundTruth;
    this.publishedCommand = publishedCommand;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.after().orElse(null) instanceof Cluster now) cluster(before(change), now);
      if (change.after().orElse(null) instanceof Job now
          && change.before().orElse(null) instanceof Job before) job(before, now);
    }
  }

  /**
   * Commands applied after the backup are forgotten; their messages may be delivered or published
   * again.
   */
  @Override
  public void restored() {
    applied.clear();
  }

  private static Optional<Cluster> before(SimLedger.Change change) {
    return change.before().map(Cluster.class::cast);
  }

  private void cluster(Optional<Cluster> before, Cluster now) {
    var name = "cluster " + now.spec().name();
    var spec = filed(now.spec());
    if (!before.map(b -> filed(b.spec())).equals(Optional.of(spec)))
      seen(
          name,
          "has the pools of a file",
          c -> c instanceof UserCommand.ApplyCluster a && a.spec().equals(spec));
    if (now.phase() == Cluster.Phase.GOING
        && before.filter(b -> b.phase() == Cluster.Phase.UP).isPresent())
      seen(name, "is taken down", UserCommand.DownCluster.class::isInstance);
    for (var pool : now.spec().pools())
      if (pool.manual()
          && !before.flatMap(b -> b.spec().pool(pool.name())).equals(Optional.of(pool)))
        slice(pool);
  }

  private void slice(PoolSpec pool) {
    Predicate<UserCommand> asked =
        pool.max() == 0
            ? c -> c instanceof UserCommand.DeleteSlice d && d.slice().equals(pool.name())
            : c -> c instanceof UserCommand.CreateSlice s && s.name().equals(pool.name());
    seen("slice " + pool.name(), "has " + pool.max() + " of " + pool.machineType(), asked);
  }

  /** The spec as in users' files, which have no manual slices. */
  private static ClusterSpec filed(ClusterSpec spec) {
    return spec.with(spec.pools().stream().filter(p -> !p.manual()).toList());
  }

  private void job(Job before, Job now) {
    var name = "job " + now.uid();
    applied.putIfAbsent(name, before.submittedAt().minusMillis(1));
    if (before.state().ended() && !now.state().ended())
      seen(name, "runs again", c -> isRetry(c, now));
    if (now.state() instanceof JobState.Stopping s
        && !(before.state() instanceof JobState.Stopping)
        && s.by().equals("stopped by a message"))
      seen(name, "is stopped", c -> c instanceof UserCommand.StopJob t && isNamed(now, t.job()));
  }

  private static boolean isRetry(UserCommand userCommand, Job job) {
    return switch (userCommand) {
      case UserCommand.RetryJob r -> isNamed(job, r.job());
      case UserCommand.RetryTasks r -> isNamed(job, r.job());
      default -> false;
    };
  }

  private static boolean isNamed(Job job, String address) {
    return address.equals(job.spec().address()) || address.equals(job.spec().name());
  }

  /** The oldest command that can explain the change must be newer than the one applied before. */
  private void seen(String thing, String what, Predicate<UserCommand> asked) {
    var last = applied.getOrDefault(thing, Instant.MIN);
    var word =
        publishedCommand.stream()
            .filter(p -> asked.test(p.command()) && p.at().isAfter(last))
            .map(PublishedCommand::at)
            .min(Instant::compareTo)
            .orElseThrow(() ->
                new InvariantViolation(
                    ID,
                    "%s %s, and no command published after %s asks for it"
                        .formatted(thing, what, last)));
    applied.put(thing, word);
  }

  @Override
  public void atRest() {
    for (var cluster : groundTruth.all(Cluster.class)) {
      if (cluster.phase() != Cluster.Phase.UP) continue;
      var name = cluster.spec().name();
      var newest =
          publishedCommand.stream()
              .map(PublishedCommand::command)
              .filter(c -> isAbout(c, name))
              .reduce((_, last) -> last);
      if (newest.orElse(null) instanceof UserCommand.DownCluster)
        throw new InvariantViolation(
            ID, "cluster " + name + " is up, and its newest command is a down");
      if (newest.orElse(null) instanceof UserCommand.ApplyCluster file
          && !file.spec().equals(filed(cluster.spec())))
        throw new InvariantViolation(ID, "cluster " + name + " is not as its newest file says");
    }
  }

  private static boolean isAbout(UserCommand userCommand, String cluster) {
    return switch (userCommand) {
      case UserCommand.ApplyCluster a -> a.spec().name().equals(cluster);
      case UserCommand.DownCluster d -> d.cluster().equals(cluster);
      default -> false;
    };
  }
}
