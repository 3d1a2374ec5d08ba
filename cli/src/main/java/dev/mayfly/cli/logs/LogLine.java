package dev.mayfly.cli.logs;

import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.core.port.BucketLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One line of a task, without its line end.
 *
 * @param rank the host that wrote it, if the task runs on several
 * @param repeated whether the task has logs of several attempts, as far as they are listed
 */
public record LogLine(
    long task, String attempt, Optional<Integer> rank, boolean repeated, String text) {
  /**
   * The source of the line: {@code [7] }, {@code [7/r1] }, {@code [7/setup] }, or {@code [7/s0e3] }
   * once the task has a second attempt; empty if the job has only one source.
   */
  public String label(boolean alone) {
    var isSetup = attempt.startsWith(BucketLayout.SETUP_LOG);
    var parts = new ArrayList<String>();
    if (!alone) parts.add(Long.toString(task));
    if (repeated) parts.add(isSetup ? attempt.substring(BucketLayout.SETUP_LOG.length()) : attempt);
    rank.ifPresent(r -> parts.add("r" + r));
    if (isSetup) parts.add("setup");
    return parts.isEmpty() ? "" : "[" + String.join("/", parts) + "] ";
  }

  /**
   * The lines that a terminal shows of it, without control sequences: a progress bar writes each of
   * its states over the one before.
   */
  public List<LogLine> printable() {
    var shown = PrintableText.text(text);
    if (shown.indexOf('\n') < 0) return List.of(with(shown));
    var states = Stream.of(shown.split("\n")).filter(state -> !state.isBlank()).toList();
    return states.isEmpty() ? List.of(with("")) : states.stream().map(this::with).toList();
  }

  private LogLine with(String text) {
    return new LogLine(task, attempt, rank, repeated, text);
  }
}
