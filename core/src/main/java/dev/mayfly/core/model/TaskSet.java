package dev.mayfly.core.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * An immutable set of task indexes, stored as one bit each from a first index on, for example a
 * shard's done bits.
 *
 * <p>Indexes are those of the job, not offsets. Bits below the first index do not exist.
 */
public final class TaskSet {
  private final long first;
  private final BitSet bits;

  private TaskSet(long first, BitSet bits) {
    this.first = first;
    this.bits = bits;
  }

  public static TaskSet none(long first) {
    return new TaskSet(first, new BitSet());
  }

  /** The set read from {@link #toBytes()}; bit i of the array stands for {@code first + i}. */
  public static TaskSet of(long first, byte[] bytes) {
    return new TaskSet(first, BitSet.valueOf(bytes));
  }

  public static TaskSet where(long from, long to, LongPredicate test) {
    var set = new BitSet();
    for (var i = from; i < to; i++) if (test.test(i)) set.set((int) (i - from));
    return new TaskSet(from, set);
  }

  public long first() {
    return first;
  }

  public boolean has(long index) {
    return index >= first && bits.get(Math.toIntExact(index - first));
  }

  public TaskSet with(long index) {
    var copy = (BitSet) bits.clone();
    copy.set(Math.toIntExact(index - first));
    return new TaskSet(first, copy);
  }

  /** The union; indexes of {@code other} below this set's first index are dropped. */
  public TaskSet or(TaskSet other) {
    var copy = (BitSet) bits.clone();
    other.indexes().filter(i -> i >= first).forEach(i -> copy.set(Math.toIntExact(i - first)));
    return new TaskSet(first, copy);
  }

  /** The members that {@code other} does not have. */
  public TaskSet without(TaskSet other) {
    if (other.isEmpty() || isEmpty()) return this;
    var copy = new BitSet();
    indexes().filter(i -> !other.has(i)).forEach(i -> copy.set(Math.toIntExact(i - first)));
    return new TaskSet(first, copy);
  }

  /** The members in [from, to), as a set whose first index is {@code from}. */
  public TaskSet within(long from, long to) {
    var copy = new BitSet();
    indexes().filter(i -> i >= from && i < to).forEach(i -> copy.set(Math.toIntExact(i - from)));
    return new TaskSet(from, copy);
  }

  public int count() {
    return bits.cardinality();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  /** The members, ascending. */
  public LongStream indexes() {
    return bits.stream().mapToLong(i -> first + i);
  }

  /** The least index of [from, to) that is not a member, or {@code to}. */
  public long nextClear(long from, long to) {
    return Math.min(to, first + bits.nextClearBit(Math.toIntExact(Math.max(from, first) - first)));
  }

  public byte[] toBytes() {
    return bits.toByteArray();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TaskSet b && (first == b.first ? bits.equals(b.bits) : hasMembersOf(b));
  }

  private boolean hasMembersOf(TaskSet b) {
    return (bits.isEmpty() ? b.bits.isEmpty() : Arrays.equals(members(), b.members()));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(members());
  }

  private long[] members() {
    return indexes().toArray();
  }

  @Override
  public String toString() {
    return bits.cardinality() + " from " + first;
  }
}
