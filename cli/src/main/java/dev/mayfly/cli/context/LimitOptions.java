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
      converter = TimeConverter.class,
      description =
          "Stops each job when it has run for this time, such as 12h; overrides maxRunTime in the"
              + " file.")
  Optional<Duration> maxRunTime = Optional.empty();

  /** The job with these limits. */
  public ParsedDocument in(ParsedDocument job) {
    return maxRunTime.map(most -> job.with("maxRunTime", DurationFormat.write(most))).orElse(job);
  }
}
