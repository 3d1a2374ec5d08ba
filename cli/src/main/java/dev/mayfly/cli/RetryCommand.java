package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.flow.Following;
import dev.mayfly.cli.show.JobLines;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.JobView;
import dev.mayfly.wire.Documents;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly retry}: what is not done runs again. */
@Command(
    name = "retry",
    description = {
      "Runs again the tasks of an ended job that are not done.",
      "They run the code that the job was submitted with; submit it again to run changed code."
    },
    footer = {"", "Example:", "  mayfly retry reddit-toxicity --follow"})
final class RetryCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "JOB", description = "Its name or uid.")
  String job = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  RetryCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var before = session.api().job(cluster.ofJob(session, job), job);
    if (before.endedAt().isEmpty())
      throw new Refusal(
          Exit.INPUT,
          "job "
              + before.name()
              + " is "
              + before.state()
              + "; stop it, or wait until it has ended");
    var fields = Map.of("cluster", before.cluster(), "job", before.name());
    var message = session.topics().publish(Documents.of("RetryJob", fields));
    var after =
        session.acceptance().await(message, "retry of " + before.name(), () -> again(before));
    var screen = common.people(session.screen());
    screen.line(
        "job "
            + after.name()
            + " runs again: "
            + Words.count(after.tasks() - after.totals().done(), "task")
            + " to do");
    if (follow) {
      after = Detach.whileFollowing(session, screen, after, true, before.failures());
      screen.line(JobLines.ending(after));
    }
    if (common.json()) common.json(session.screen(), after);
    return follow ? Following.exit(after).code() : 0;
  }

  private Optional<JobView> again(JobView before) {
    return Optional.of(session.api().job(before.cluster(), before.uid()))
        .filter(j -> !j.endedAt().equals(before.endedAt()));
  }
}
