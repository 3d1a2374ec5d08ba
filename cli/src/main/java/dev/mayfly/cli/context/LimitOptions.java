package dev.mayfly.cli.context;

import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.text.DurationFormat;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a submission that override limits in its file. */
public final class LimitOptions {
  @Option(
      names = "--max-run-time",
      paramLabel = "TIME",
      description =
          "Stops each job when it has run for this time, such as 12h; overrides maxRunTime in the"
              + " file.")
  Optional<Duration> maxRunTime = Optional.empty();

  @Option(
      names = "--keep-failed",
      paramLabel = "TIME",
      description =
          "Keeps the machine and the folder of a task that failed for good for this time, such as"
              + " 30m; overrides keepFailed in the file.")
  Optional<Duration> keepFailed = Optional.empty();

  /** The job with these limits. */
  public ParsedDocument in(ParsedDocument job) {
    var limited = with(job, "maxRunTime", maxRunTime);
    return with(limited, "keepFailed", keepFailed);
  }

  private static ParsedDocument with(ParsedDocument job, String field, Optional<Duration> time) {
    return time.map(it -> job.with(field, DurationFormat.write(it))).orElse(job);
  }
}
