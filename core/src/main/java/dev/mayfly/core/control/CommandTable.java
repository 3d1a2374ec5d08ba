package dev.mayfly.core.control;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;

/** Which use case does what a command asks. */
final class CommandTable {
  private final Ledger ledger;
  private final Submissions submissions;
  private final Stops stops;
  private final Retry retry;
  private final ClusterChanges clusters;
  private final SliceChanges slices;
  private final Joins joins;
  private final Follows follows;

  CommandTable(Ports ports, Rules rules, Submissions submissions, Stops stops, Retry retry) {
    ledger = ports.ledger();
    this.submissions = submissions;
    this.stops = stops;
    this.retry = retry;
    clusters = new ClusterChanges(ports, rules);
    slices = new SliceChanges(ports, rules);
    joins = new Joins(ports, rules);
    follows = new Follows(ledger, ports.clock());
  }

  /**
   * @param at when it was published
   * @param submission names it, if it does not name itself
   * @param by who asks, behind a verb
   */
  void handle(Command command, Instant at, String submission, String by) {
    switch (command) {
      case Command.SubmitJob c ->
          submissions.submit(c.spec(), Intake.uid(c.submission().orElse(submission)), at);
      case Command.StopJob c ->
          stops.named(Clusters.named(ledger, c.cluster()).uid(), c.job(), at, "stopped by " + by);
      case Command.RetryJob c -> retry.retry(Clusters.named(ledger, c.cluster()), c.job(), at);
      case Command.FollowLogs c -> follows.follow(Clusters.named(ledger, c.cluster()), c.job(), at);
      case Command.ApplyCluster c -> clusters.apply(c, at);
      case Command.DownCluster c -> clusters.down(c.cluster(), at);
      case Command.DrainWorker c -> clusters.drain(c.cluster(), c.worker(), at);
      case Command.JoinWorker c -> joins.join(c, at);
      case Command.CreateSlice c -> slices.create(c, at);
      case Command.DeleteSlice c -> slices.delete(c, at);
      case Command.ReshapeSlice c -> slices.reshape(c, at);
    }
  }

  /** What a command is about, for people. */
  static String about(Command command) {
    return switch (command) {
      case Command.SubmitJob c -> "job " + c.spec().name();
      case Command.StopJob c -> "stop of job " + c.job();
      case Command.RetryJob c -> "retry of job " + c.job();
      case Command.FollowLogs c -> "logs of job " + c.job();
      case Command.ApplyCluster c -> "cluster " + c.spec().name();
      case Command.DownCluster c -> "down of cluster " + c.cluster();
      case Command.DrainWorker c -> "drain of worker " + c.worker();
      case Command.JoinWorker c -> "join of worker " + c.worker();
      case Command.CreateSlice c -> "slice " + c.name();
      case Command.DeleteSlice c -> "delete of slice " + c.slice();
      case Command.ReshapeSlice c -> "reshape of slice " + c.slice();
    };
  }
}
