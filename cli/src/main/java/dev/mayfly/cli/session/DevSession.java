package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A development session: a job of one task that holds a worker's resources for its owner until its
 * time is over, and does nothing itself.
 */
record DevSession(CliContext cliContext, String cluster, String name) {
  private static final String PREFIX = "dev-";

  /** The task's own seconds, by which {@code enter-task} warns of its end. */
  static final String SECONDS = "DEV_SESSION_SECONDS";

  private static final Duration EVERY = Duration.ofMillis(500);
  private static final int LONGEST_NAME = 42;

  /**
   * The session of this name, or of the user.
   *
   * @param named empty for the user's only one
   */
  static DevSession of(CliContext cliContext, String cluster, Optional<String> named) {
    var text = named.orElseGet(() -> cliContext.env().getOrDefault("USER", "me"));
    var plain =
        text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    var whole = plain.startsWith(PREFIX) ? plain : PREFIX + plain;
    var cut = whole.substring(0, Math.min(LONGEST_NAME, whole.length())).replaceAll("-+$", "");
    return new DevSession(cliContext, cluster, cut);
  }

  /** What commands call the session's job: names are apart for each owner. */
  String address() {
    return JobAddress.of(cliContext.user(), name);
  }

  /** The session's job, unless it has ended. */
  Optional<JobStatus> live() {
    return cliContext
        .api()
        .findJob(cluster, address())
        .filter(job -> job.endedAt().isEmpty() && !job.state().equals("stopping"));
  }

  /** Waits until the session's task has a worker. */
  void awaitWorker(JobStatus job, TargetLookup lookup) {
    var said = "";
    while (true) {
      var now = cliContext.api().job(cluster, job.uid());
      if (now.endedAt().isPresent())
        throw new CommandException(
            CommandExitCode.JOB_FAILED,
            "the session ended before it began; mayfly explain %s tells more: %s"
                .formatted(name, JobLines.ending(now)));
      if (lookup.hasWorker(now, 0)) return;
      var why = now.reason().orElse("");
      if (!why.isEmpty() && !why.equals(said)) cliContext.screen().note("waiting: " + why);
      said = why;
      cliContext.poller().sleeper().sleep(EVERY);
    }
  }

  /** How the session stands, and how to go on. */
  String standing(JobStatus job) {
    var left =
        until(job)
            .map(end -> HumanDuration.result(Duration.between(cliContext.now(), end)))
            .orElse("");
    return "session %1$s lasts %2$s; mayfly dev%3$s returns to it, and mayfly dev%3$s --end ends it"
        .formatted(
            name,
            left.isEmpty() ? "until its time is over" : "another " + left,
            of(cliContext, cluster, Optional.empty()).name().equals(name) ? "" : " --name " + name);
  }

  private Optional<Instant> until(JobStatus job) {
    var span = job.spec().run().env().getOrDefault(SECONDS, "");
    if (!span.matches("[0-9]{1,9}")) return Optional.empty();
    return cliContext.api().workers(cluster, false).stream()
        .flatMap(w -> w.leases().stream())
        .filter(l -> l.job().equals(job.uid()))
        .findFirst()
        .map(WorkerStatus.LeaseView::since)
        .map(since -> since.plusSeconds(Long.parseLong(span)));
  }

  /** Ends the session; its worker is free for other work. */
  void end() {
    var job =
        live()
            .orElseThrow(
                () -> CommandException.notFound("cluster " + cluster + " has no session " + name));
    var fields = Map.of("cluster", cluster, "job", address());
    cliContext.publish(
        UserDocuments.of("StopJob", fields),
        "end of session " + name,
        () ->
            Optional.of(cliContext.api().job(cluster, job.uid()))
                .filter(now -> !now.state().equals("running") && !now.state().equals("expanding")));
    cliContext.screen().note("session " + name + " is ended");
  }
}
