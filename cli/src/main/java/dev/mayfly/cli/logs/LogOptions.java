package dev.mayfly.cli.logs;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.wire.text.DurationFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a person selects lines of a log. */
public final class LogOptions {
  @Option(
      names = {"-n", "--tail"},
      paramLabel = "N",
      description =
          "Only the last N lines of each task, on each of its hosts. Of a long log, only its end is"
              + " read.")
  @Nullable Integer tail;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Only what was stored since then: 10m ago, or at 2026-11-27T09:30:00Z. A line is stored at"
              + " most ten seconds after it is printed, if its worker reaches the bucket.")
  @Nullable String since;

  @Option(
      names = "--grep",
      paramLabel = "PATTERN",
      description =
          "Only lines in which this regular expression (RE2) matches. With --tail, the last N of"
              + " those.")
  @Nullable String grep;

  @Option(
      names = "--attempt",
      paramLabel = "NAME",
      description = "Only this attempt, as lines and explain name it: s0e3.")
  @Nullable String attempt;

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "Only this host, for tasks that run on several hosts.")
  @Nullable Integer rank;

  /** The host, if one is named. */
  public Optional<Integer> rank() {
    return Optional.ofNullable(rank);
  }

  /** The attempt, if one is named. */
  public Optional<String> attempt() {
    return Optional.ofNullable(attempt);
  }

  /** Whether some lines of a log may not be shown. */
  public boolean selectsLines() {
    return tail != null || since != null || grep != null;
  }

  /** Whether none of what is stored is shown, but what comes. */
  public boolean selectsNone() {
    return tail != null && tail == 0;
  }

  /** What the options select; throws {@link CommandException} for one that means nothing. */
  public LogSelection selection(OptionalLong task, Instant now, boolean raw) {
    if (tail != null && tail < 0)
      throw CommandException.input("--tail is " + tail + "; write 0 or more");
    return new LogSelection(
        task,
        rank(),
        attempt(),
        Optional.ofNullable(since).map(it -> time(it, now)),
        tail == null ? OptionalInt.empty() : OptionalInt.of(tail),
        Optional.ofNullable(grep).map(LogOptions::pattern),
        raw);
  }

  /** Why nothing is shown although something is stored: {@code since 10m ago}. */
  public String inWords() {
    var words = new ArrayList<String>();
    if (grep != null) words.add("with '%s' in it".formatted(grep));
    if (since != null)
      words.add((at(since).isPresent() ? "stored since " : "stored in the last ") + since);
    return String.join(", ", words);
  }

  private static Instant time(String text, Instant now) {
    var time = ago(text, now).or(() -> at(text));
    if (time.isEmpty())
      throw CommandException.input(
          "--since: '%s' is neither a duration nor a time; write 90s, 10m or 1h30m for as long ago,"
                  .formatted(text)
              + " or a time with its zone: 2026-11-27T09:30:00Z");
    if (time.get().isAfter(now))
      throw CommandException.input(
          "--since: %s is in the future; write a time before now, which is %s"
              .formatted(text, now));
    return time.get();
  }

  private static Optional<Instant> ago(String text, Instant now) {
    try {
      return Optional.of(now.minus(DurationFormat.read(text)));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException none) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> at(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  private static Pattern pattern(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw CommandException.input(
          "--grep: '%s' is not a regular expression of RE2: %s; \\Q…\\E around it takes it as it"
                  .formatted(text, e.getDescription())
              + " stands");
    }
  }
}
