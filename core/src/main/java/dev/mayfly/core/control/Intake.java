package dev.mayfly.core.control;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Problem;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Write;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes users' messages. A message that can't be accepted becomes a {@code rejections} document
 * that says why, and is done with: it delays nobody.
 */
public final class Intake {
  private static final int EXCERPT = 500;
  private static final String NOT_KEPT = "(not kept: there may be a secret in it)";

  private final Ledger ledger;
  private final Codec codec;
  private final Submissions submissions;
  private final Stops stops;
  private final Retry retry;
  private final ClusterChanges clusters;
  private final SliceChanges slices;
  private final Joins joins;
  private final Pausing pausing;
  private final Follows follows;
  private final InstantSource clock;

  Intake(
      Ledger ledger,
      Codec codec,
      Submissions submissions,
      Stops stops,
      Retry retry,
      ClusterChanges clusters,
      SliceChanges slices,
      Joins joins,
      Pausing pausing,
      InstantSource clock) {
    this.ledger = ledger;
    this.codec = codec;
    this.submissions = submissions;
    this.stops = stops;
    this.retry = retry;
    this.clusters = clusters;
    this.slices = slices;
    this.joins = joins;
    this.pausing = pausing;
    this.clock = clock;
    follows = new Follows(ledger, clock);
  }

  /**
   * Does what the message asks. Repeating it changes nothing. Throws {@link
   * dev.mayfly.core.error.Unavailable} if it should be delivered again.
   */
  public void receive(Message message) {
    List<Command> commands;
    try {
      commands = codec.commands(message.data());
    } catch (Invalid invalid) {
      reject(message, message.id(), "", invalid.problems());
      return;
    }
    var refused = new ArrayList<Problem>();
    var about = new ArrayList<String>();
    for (var i = 0; i < commands.size(); i++)
      try {
        handle(commands.get(i), message, i);
      } catch (Denied denied) {
        about.add(about(commands.get(i)));
        refused.add(new Problem(about(commands.get(i)), denied.getMessage()));
      } catch (Invalid invalid) {
        about.add(about(commands.get(i)));
        for (var p : invalid.problems())
          refused.add(
              new Problem(
                  about(commands.get(i)) + (p.path().isEmpty() ? "" : ": " + p.path()),
                  p.message()));
      }
    if (!refused.isEmpty()) reject(message, message.id(), String.join(", ", about), refused);
    if (refused.size() < commands.size()) pausing.awaken();
  }

  private void handle(Command command, Message message, int number) {
    switch (command) {
      case Command.SubmitJob c ->
          submissions.submit(
              c.spec(),
              uid(c.submission().orElse(message.id() + "." + number)),
              message.publishedAt());
      case Command.StopJob c -> {
        var cluster = Clusters.named(ledger, c.cluster());
        stops.named(cluster.uid(), c.job(), message.publishedAt(), "stopped by a message");
      }
      case Command.RetryJob c -> retry.retry(Clusters.named(ledger, c.cluster()), c.job());
      case Command.FollowLogs c ->
          follows.follow(Clusters.named(ledger, c.cluster()), c.job(), message.publishedAt());
      case Command.ApplyCluster c -> clusters.apply(c, message.publishedAt());
      case Command.DownCluster c -> clusters.down(c.cluster(), message.publishedAt());
      case Command.DrainWorker c -> clusters.drain(c.cluster(), c.worker());
      case Command.JoinWorker c -> joins.join(c, message.publishedAt());
      case Command.CreateSlice c -> slices.create(c, message.publishedAt());
      case Command.DeleteSlice c -> slices.delete(c, message.publishedAt());
      case Command.ReshapeSlice c -> slices.reshape(c, message.publishedAt());
    }
  }

  /** A job's uid: a hash of the submission's id, so that a repeat is the same job. */
  public static String uid(String submission) {
    return "j" + Sha256.of(submission).substring(0, 15);
  }

  private static String about(Command command) {
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

  private static String excerpt(Message message) {
    var length = Math.min(EXCERPT, message.data().length);
    return new String(message.data(), 0, length, StandardCharsets.UTF_8)
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }

  /** Where a secret's name is wrong, the secret itself may stand in its place. */
  private static boolean aboutSecrets(Problem problem) {
    return problem.path().contains("secrets.") || problem.path().contains("registries.");
  }

  private void reject(Message message, String id, String about, List<Problem> problems) {
    var errors = problems.stream().limit(50).map(Problem::toString).toList();
    var kept = problems.stream().anyMatch(Intake::aboutSecrets) ? NOT_KEPT : excerpt(message);
    var rejection = new Rejection(id, clock.instant(), about, errors, kept);
    ledger.commit(List.of(new Write.Put(rejection)));
  }
}
