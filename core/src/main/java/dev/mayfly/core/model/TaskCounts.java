package dev.mayfly.core.model;

import java.util.Arrays;

/**
 * Immutable small counters, one per task from a first index on: how often each failed. They
 * saturate at 255.
 */
public final class TaskCounts {
  private final long first;
  private final byte[] values;

  private TaskCounts(long first, byte[] values) {
    this.first = first;
    this.values = values;
  }

  public static TaskCounts none(long first) {
    return new TaskCounts(first, new byte[0]);
  }

  public static TaskCounts of(long first, byte[] bytes) {
    return new TaskCounts(first, bytes.clone());
  }

  public long first() {
    return first;
  }

  public int at(long index) {
    var i = index - first;
    return i < 0 || i >= values.length ? 0 : values[(int) i] & 0xff;
  }

  public TaskCounts plusOne(long index) {
    var i = Math.toIntExact(index - first);
    var copy = Arrays.copyOf(values, Math.max(values.length, i + 1));
    if ((copy[i] & 0xff) < 255) copy[i]++;
    return new TaskCounts(first, copy);
  }

  /** None for these tasks. */
  public TaskCounts without(TaskSet tasks) {
    var copy = values.clone();
    for (var i = 0; i < copy.length; i++) if (tasks.has(first + i)) copy[i] = 0;
    return new TaskCounts(first, copy);
  }

  public TaskCounts within(long from, long to) {
    var end = Math.min(to, first + values.length);
    if (end <= from) return none(from);
    return new TaskCounts(
        from, Arrays.copyOfRange(values, (int) (from - first), (int) (end - first)));
  }

  public boolean isEmpty() {
    for (var v : values) if (v != 0) return false;
    return true;
  }

  public byte[] toBytes() {
    return values.clone();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TaskCounts c && (isEmpty() ? c.isEmpty() : first == c.first && same(c));
  }

  private boolean same(TaskCounts c) {
    var n = Math.max(values.length, c.values.length);
    return Arrays.equals(Arrays.copyOf(values, n), Arrays.copyOf(c.values, n));
  }

  @Override
  public int hashCode() {
    var sum = 0;
    for (var v : values) sum += v;
    return sum;
  }

  @Override
  public String toString() {
    return "counts from " + first + " " + Arrays.toString(values);
  }
}
