package dev.mayfly.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Tasks of a job as users name them: {@code 3} or {@code 5-9}, both ends included. */
public record TaskRanges(List<Range> ranges) {
  /** The most ranges in one command. */
  public static final int MOST = 100;

  public TaskRanges {
    ranges = List.copyOf(ranges);
    if (ranges.isEmpty() || ranges.size() > MOST)
      throw new IllegalArgumentException("names 1 to %d tasks or ranges of tasks".formatted(MOST));
  }

  /** From the first index to the last. */
  public record Range(long from, long last) {
    public Range {
      if (from < 0 || last < from)
        throw new IllegalArgumentException(
            "is not a range of tasks; write 3 or 5-9, the lower index first");
    }

    @Override
    public String toString() {
      return from == last ? Long.toString(from) : from + "-" + last;
    }
  }

  /** Throws {@link IllegalArgumentException} for a text that is not like {@code 3,5-9}. */
  public static TaskRanges parse(String text) {
    var ranges = new ArrayList<Range>();
    for (var part : text.split(",", -1)) {
      if (!part.matches("[0-9]{1,9}(-[0-9]{1,9})?"))
        throw new IllegalArgumentException("is not a list of tasks; write 3 or 5-9 or 3,5-9");
      var ends = part.split("-");
      ranges.add(new Range(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1])));
    }
    return new TaskRanges(ranges);
  }

  public long last() {
    return ranges.stream().mapToLong(Range::last).max().orElseThrow();
  }

  public boolean has(long index) {
    return ranges.stream().anyMatch(r -> index >= r.from() && index <= r.last());
  }

  /** The named tasks in [from, to). */
  public TaskSet within(long from, long to) {
    return TaskSet.where(from, to, this::has);
  }

  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
