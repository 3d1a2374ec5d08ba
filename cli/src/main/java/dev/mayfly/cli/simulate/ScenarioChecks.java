package dev.mayfly.cli.simulate;

import static java.util.stream.Collectors.toMap;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.PredecessorCycle;
import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.sim.experiment.ArrivingJob;
import dev.mayfly.sim.scenario.OperatorActions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the jobs of a scenario mean for one another, and whether their tasks can end at all. */
record ScenarioChecks(ScenarioFields fields, List<ArrivingJob> jobs) {
  /**
   * Each job that another one waits for is there, and none waits for itself, as for the jobs of a
   * file that is submitted.
   *
   * @param expects whether what would be refused may be what is expected
   */
  void predecessors(boolean expects) {
    var edges = new TreeMap<String, List<String>>();
    for (var job : jobs) {
      var owner = job.spec().owner();
      var after = job.spec().admission().after();
      edges.put(job.spec().address(), after.stream().map(it -> it.address(owner)).toList());
    }
    for (var job : jobs)
      for (var before : job.spec().admission().after())
        if (!edges.containsKey(before.address(job.spec().owner())))
          fields.add(
              "jobs",
              "has '%s', which waits for job '%s'; add that job"
                  .formatted(job.spec().address(), before.job()));
    if (expects) return;
    PredecessorCycle.find(edges)
        .ifPresent(cycle -> {
          var names = new ArrayList<>(cycle);
          names.add(names.getFirst());
          fields.add(
              "jobs",
              "wait for one another: %s; remove one of these"
                  .formatted(String.join(" after ", names)));
        });
  }

  /** Commands are about jobs that come: one about no job would change nothing, without a word. */
  void commands(List<OperatorActions.PlannedCommand> commands) {
    var known = new TreeSet<String>();
    for (var job : jobs) known.addAll(List.of(job.spec().name(), job.spec().address()));
    for (var planned : commands)
      if (planned.command() instanceof UserCommand.SubmitJob submitted)
        known.addAll(List.of(submitted.spec().name(), submitted.spec().address()));
    for (var planned : commands)
      job(planned.command())
          .filter(it -> !known.contains(it))
          .ifPresent(it ->
              fields.add(
                  "commands",
                  "name job '%s', which is not there; there is %s%s"
                      .formatted(
                          it, String.join(", ", known), SpellingSuggestion.hint(it, known))));
  }

  private static Optional<String> job(UserCommand command) {
    return switch (command) {
      case UserCommand.StopJob it -> Optional.of(it.job());
      case UserCommand.RetryJob it -> Optional.of(it.job());
      case UserCommand.StopTasks it -> Optional.of(it.job());
      case UserCommand.RetryTasks it -> Optional.of(it.job());
      case UserCommand.AddTasks it -> Optional.of(it.job());
      case UserCommand.CloseJob it -> Optional.of(it.job());
      default -> Optional.empty();
    };
  }

  /** A sentence for each job of which no attempt can end by itself in the time that it has. */
  List<String> hopeless(ClusterSpec cluster) {
    var notes = new ArrayList<String>();
    for (var job : firsts().values()) {
      var shortest = job.tasks().runs().shortest();
      var timeout = job.spec().run().timeout();
      // What a checkpoint has is not computed again, so that several attempts may do it.
      if (job.tasks().checkpoints().isPresent()) continue;
      if (timeout.isPositive() && shortest.compareTo(timeout) > 0)
        notes.add(
            "no attempt of job %s can succeed: each takes %s or more, and its timeout is %s"
                .formatted(
                    job.spec().address(),
                    HumanDuration.exact(shortest),
                    HumanDuration.exact(timeout)));
      else if (shortest.compareTo(longestLife(cluster)) > 0)
        notes.add(
            "no attempt of job %s can succeed: each takes %s or more, and no machine lives longer than %s (pools[].life)"
                .formatted(
                    job.spec().address(),
                    HumanDuration.exact(shortest),
                    HumanDuration.exact(longestLife(cluster))));
    }
    return notes;
  }

  private static Duration longestLife(ClusterSpec cluster) {
    return cluster.pools().stream()
        .map(PoolSpec::life)
        .max(Duration::compareTo)
        .orElse(ScenarioFields.LONGEST);
  }

  /** One of the copies of each job. */
  private Map<String, ArrivingJob> firsts() {
    return jobs.stream()
        .collect(toMap(it -> it.spec().name(), it -> it, (one, _) -> one, TreeMap::new));
  }
}
