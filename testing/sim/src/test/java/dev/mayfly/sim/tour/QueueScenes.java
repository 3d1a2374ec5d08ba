package dev.mayfly.sim.tour;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Machines that are there and do other work, and limits that people set. */
final class QueueScenes {
  private static final String PART = "Other work, and limits that people set";

  private QueueScenes() {}

  static List<Scene> all() {
    return List.of(
        full(),
        gang(),
        priority(),
        share(),
        shareOverTime(),
        ownLimit(),
        ownerLimit(),
        after(),
        maxUsd(),
        stopped(),
        down());
  }

  private static Scene full() {
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.first(TourJob.job("eval", 6)),
            TourJob.later(ofMinutes(2), TourJob.job(Scene.JOB, 2)));
    return new Scene(
        PART,
        "full",
        "All machines are busy with another job",
        "in use: eval 4 CPU",
        "raise workers.max to 6 or more",
        world.untilRuns("eval").minutes(14));
  }

  private static Scene gang() {
    var world =
        TourWorld.of(
            TourWorld.pool(2),
            TourJob.each(ofMinutes(50), TourJob.first(TourJob.job("eval", 1))),
            TourJob.later(ofMinutes(2), TourJob.job(Scene.JOB, 1).gang(2)));
    return new Scene(
        PART,
        "gang",
        "My task needs two machines at once, and one of them is busy",
        "1 of them is busy: lab-cpu-",
        "nothing, its tasks start when there is room",
        world.untilRuns("eval").minutes(9));
  }

  private static Scene priority() {
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.first(TourJob.job("urgent", 12).priority(90)),
            TourJob.later(ofMinutes(2), TourJob.job(Scene.JOB, 2)));
    return new Scene(
        PART,
        "priority",
        "A job of higher priority is before mine",
        "before it in the queue: urgent",
        "raise workers.max to 11 or more",
        world.untilRuns("urgent").minutes(25));
  }

  private static Scene share() {
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.first(TourJob.job("sweep", 12).owner("bob")),
            TourJob.later(ofMinutes(2), TourJob.job(Scene.JOB, 2)));
    return new Scene(
        PART,
        "fair-share",
        "Somebody else's job has every machine",
        "ann 0, bob 1",
        "wait for the jobs before it",
        world.untilRuns("sweep").minutes(6));
  }

  private static Scene shareOverTime() {
    var limits = ClusterLimits.NONE.sharing(new FairShareSpec(Map.of(), Optional.of(ofHours(2))));
    var lab = TourWorld.cluster(TourWorld.pool(1)).withLimits(limits);
    var world =
        TourWorld.of(
            lab,
            TourJob.first(TourJob.job(Scene.JOB, 12)),
            TourJob.later(ofMinutes(40), TourJob.job("sweep", 12).owner("bob")));
    return new Scene(
        PART,
        "fair-share-over-time",
        "I had every machine before, and somebody else has them now",
        "ann used more lately",
        "raise workers.max to 2 or more",
        world.untilRuns("sweep").minutes(6));
  }

  private static Scene ownLimit() {
    var rules = new AdmissionRules(List.of(), 1, Optional.empty());
    var world =
        TourWorld.of(
            TourWorld.pool(4), TourJob.first(TourJob.with(rules, TourJob.job(Scene.JOB, 8))));
    return new Scene(
        PART,
        "concurrency",
        "Only one of my tasks runs at a time",
        "its concurrency is 1, and 1 task is on a machine",
        "nothing, the next one starts when one ends",
        world.untilRuns(Scene.JOB).minutes(23));
  }

  private static Scene ownerLimit() {
    var limits =
        new ClusterLimits(
            Optional.of(1L), Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    var lab = TourWorld.cluster(TourWorld.pool(4)).withLimits(limits);
    var world =
        TourWorld.of(
            lab,
            TourJob.first(TourJob.job("eval", 4)),
            TourJob.later(ofMinutes(2), TourJob.job(Scene.JOB, 4)));
    return new Scene(
        PART,
        "owner-limit",
        "I may run no more tasks at once",
        "the jobs of ann may run 1 task at once",
        "raise that to 5 or more",
        world.untilRuns("eval").minutes(4));
  }

  private static Scene after() {
    var rules =
        new AdmissionRules(
            List.of(new Predecessor("eval", Optional.empty(), Predecessor.On.SUCCESS)));
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.first(TourJob.job("eval", 6)),
            TourJob.later(ofMinutes(2), TourJob.with(rules, TourJob.job(Scene.JOB, 2))));
    return new Scene(
        PART,
        "after",
        "My job waits for another one",
        "which is running now",
        "nothing, it starts or ends by itself then",
        world.untilRuns("eval").minutes(15));
  }

  private static Scene maxUsd() {
    var rules =
        new AdmissionRules(
            List.of(), 0, Optional.empty(), Optional.empty(), Optional.of(0.05), Optional.empty());
    var world =
        TourWorld.of(
            TourWorld.pool(1), TourJob.first(TourJob.with(rules, TourJob.job(Scene.JOB, 40))));
    return new Scene(
        PART,
        "max-usd",
        "My job was stopped for its cost",
        "its tasks cost $0.05",
        "mayfly retry ann/train --max-usd 0.1",
        world.untilEnded(Scene.JOB).minutes(3));
  }

  private static Scene stopped() {
    var world = TourWorld.of(TourWorld.pool(1), TourJob.first(TourJob.job(Scene.JOB, 6)));
    world.untilRuns(Scene.JOB).minutes(12).publish(new UserCommand.StopJob("lab", "ann/train"));
    return new Scene(
        PART,
        "stopped",
        "Somebody stopped my job",
        "stopped by bob",
        "runs what is not done",
        world.untilEnded(Scene.JOB).minutes(2));
  }

  private static Scene down() {
    var world = TourWorld.of(TourWorld.pool(1), TourJob.first(TourJob.job(Scene.JOB, 6)));
    world.untilRuns(Scene.JOB).minutes(12).publish(new UserCommand.DownCluster("lab"));
    return new Scene(
        PART,
        "cluster-down",
        "The cluster is being taken down",
        "the cluster is taken down",
        "mayfly up, and submit it again",
        world.advance(Duration.ofSeconds(20)));
  }
}
