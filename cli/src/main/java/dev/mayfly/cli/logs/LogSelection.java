package dev.mayfly.cli.logs;

import com.google.re2j.Pattern;
import dev.mayfly.cli.output.PrintableText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What is shown of a job's log.
 *
 * @param rank only this host; a task that runs on one host has rank 0
 * @param attempt only this attempt, with its setup
 * @param since only what was stored at this time or later. Lines have no times, pieces have: a line
 *     is stored after it is printed, so that none which was printed since is missing
 * @param tail at first only so many of the last selected lines of each task on each host
 * @param grep only lines in which this matches, as a terminal shows them
 * @param raw whether lines keep what a terminal obeys; else each is what a terminal shows
 */
public record LogSelection(
    OptionalLong task,
    Optional<Integer> rank,
    Optional<String> attempt,
    Optional<Instant> since,
    OptionalInt tail,
    Optional<Pattern> grep,
    boolean raw) {
  /** All that a job has printed, as a terminal shows it. */
  public static LogSelection all() {
    return of(OptionalLong.empty());
  }

  /** All that one task has printed, or all tasks. */
  static LogSelection of(OptionalLong task) {
    return new LogSelection(
        task,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        false);
  }

  boolean includes(LogSource from) {
    return rank.map(r -> r == from.rank()).orElse(true)
        && attempt.map(name -> name.equals(from.ofTask())).orElse(true);
  }

  /** Whether a piece that was stored then is wanted. */
  boolean includes(Instant stored) {
    return since.map(time -> !stored.isBefore(time)).orElse(true);
  }

  /** What is shown of a line: nothing, itself, or each state of a progress bar. */
  List<LogLine> shown(LogLine line) {
    var lines = raw ? Stream.of(line) : line.printable().stream();
    return lines.filter(this::matches).toList();
  }

  private boolean matches(LogLine line) {
    return grep.map(it -> it.matcher(raw ? PrintableText.text(line.text()) : line.text()).find())
        .orElse(true);
  }
}
