package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.flow.Stopping;
import dev.mayfly.cli.show.JobLines;
import dev.mayfly.core.control.JobView;
import dev.mayfly.wire.Documents;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly stop}: a job ends before its time. */
@Command(
    name = "stop",
    description = "Stops a job. What is done stays done; mayfly retry runs the rest.",
    footer = {
      "",
      "Examples:",
      "  mayfly stop reddit-toxicity --wait",
      "  mayfly stop reddit-toxicity"
    })
final class StopCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "JOB", description = "Its name or uid.")
  String job = "";

  @Option(
      names = {"-w", "--wait"},
      negatable = true,
      description =
          "Waits until no process of it is left anywhere, and names what is (--no-wait is the default).")
  boolean wait;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "300",
      description = "How long to wait (300).")
  int seconds = 300;

  StopCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var name = cluster.ofJob(session, job);
    var before = session.api().job(name, job);
    var screen = common.people(session.screen());
    var after = before.endedAt().isPresent() ? before : stop(before);
    if (before.endedAt().isPresent()) screen.line("job " + before.name() + " has ended already");
    else screen.line("job " + before.name() + " is " + after.state());
    var code = 0;
    if (wait) {
      var stopping = new Stopping(session.api(), session.waiting());
      var result = stopping.await(after, Duration.ofSeconds(seconds), screen::line);
      after = result.job();
      code = result.left().isEmpty() ? 0 : Exit.UNAVAILABLE.code();
      screen.line(
          result.left().isEmpty()
              ? "nothing of it is left; " + JobLines.ending(after)
              : left(result));
    }
    if (common.json()) common.json(session.screen(), after);
    return code;
  }

  private String left(Stopping.Result result) {
    return "after %d s there is still: %s".formatted(seconds, String.join("; ", result.left()));
  }

  private JobView stop(JobView before) {
    var document =
        Documents.of("StopJob", Map.of("cluster", before.cluster(), "job", before.name()));
    var message = session.topics().publish(document);
    return session.acceptance().await(message, "stop of " + before.name(), () -> stopped(before));
  }

  private Optional<JobView> stopped(JobView before) {
    return Optional.of(session.api().job(before.cluster(), before.uid()))
        .filter(j -> !j.state().equals("running") && !j.state().equals("expanding"));
  }
}
