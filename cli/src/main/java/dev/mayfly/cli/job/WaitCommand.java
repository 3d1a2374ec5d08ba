package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.open.RefusedAdditions;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.text.DurationFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly wait}: waits until jobs have ended. */
@Command(
    name = "wait",
    description = {
      "Waits until all jobs have ended, or one of them.",
      "Says why, when no task of a job has run for a while."
    },
    footer = {
      "",
      "Exit codes: those of submit, the worst of all jobs, or that of the first to end with",
      "--any; 75 if the time has passed.",
      "",
      "Examples:",
      "  mayfly wait extract train",
      "  mayfly wait trial-1 trial-2 trial-3 --any --timeout 2h"
    })
public final class WaitCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "1..*",
      paramLabel = "JOB",
      description =
          "Names, OWNER/NAME or uids; a name is the newest job of that name, yours first.")
  List<String> names = new ArrayList<>();

  @Option(names = "--any", description = "Until the first of them has ended.")
  boolean any;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Waits no longer than this, for example 30m.")
  @Nullable Duration timeout;

  private record Watched(JobStatus job, JobFollower follower) {}

  public WaitCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var limit = Optional.ofNullable(timeout);
    var until = limit.map(cliContext.now()::plus);
    var watched = new ArrayList<Watched>();
    for (var name : names)
      watched.add(new Watched(cliContext.api().job(cluster.ofJob(name), name), follower()));
    var ended = await(watched, until);
    var shown =
        watched.stream().map(w -> ended.getOrDefault(w.job.uid(), w.job)).distinct().toList();
    showJson(shown);
    if (isOver(watched, ended)) return code(ended);
    var open = watched.stream().map(Watched::job).filter(j -> !ended.containsKey(j.uid())).toList();
    cliContext
        .screen()
        .note(
            "after %s there is still: %s"
                .formatted(
                    limit.map(DurationFormat::write).orElse(""),
                    String.join(", ", open.stream().map(JobStatus::name).toList())));
    return CommandExitCode.UNAVAILABLE.code();
  }

  private JobFollower follower() {
    var silent = ProgressDisplay.silent(humanScreen());
    return new JobFollower(cliContext.api(), cliContext.poller(), silent);
  }

  /** The jobs that have ended, by uid, in the order in which that was seen. */
  private Map<String, JobStatus> await(List<Watched> watched, Optional<Instant> until) {
    var ended = new LinkedHashMap<String, JobStatus>();
    while (true) {
      for (var w : watched) {
        if (ended.containsKey(w.job.uid()) || isOver(watched, ended)) continue;
        w.follower
            .poll(w.job.cluster(), w.job.uid())
            .ifPresent(job -> {
              ended.put(job.uid(), job);
              humanScreen().line(JobLines.ending(job));
              RefusedAdditions.of(cliContext.api(), job).ifPresent(cliContext.screen()::note);
            });
      }
      if (isOver(watched, ended)) return ended;
      if (until.filter(at -> !cliContext.now().isBefore(at)).isPresent()) return ended;
      cliContext.poller().sleeper().sleep(JobFollower.MAX_PAUSE);
    }
  }

  private boolean isOver(List<Watched> watched, Map<String, JobStatus> ended) {
    return any ? !ended.isEmpty() : watched.stream().allMatch(w -> ended.containsKey(w.job.uid()));
  }

  private static int code(Map<String, JobStatus> ended) {
    return ended.values().stream()
        .mapToInt(job -> JobFollower.exitCode(job).code())
        .max()
        .orElse(CommandExitCode.OK.code());
  }
}
