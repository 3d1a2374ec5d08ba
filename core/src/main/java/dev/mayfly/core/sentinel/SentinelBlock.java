package dev.mayfly.core.sentinel;

import dev.mayfly.core.port.ObjectInfo;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of one block of tasks, as they were read.
 *
 * @param named what each task's sentinel says: that of the lowest number that names the task
 * @param next the number of the next object
 */
record SentinelBlock(Map<Long, ObjectInfo> named, int next) {
  static final SentinelBlock EMPTY = new SentinelBlock(Map.of(), 0);

  SentinelBlock {
    named = Map.copyOf(named);
  }

  /**
   * One object.
   *
   * @param sentinels by task: the object's URL and generation, with the metadata that the task's
   *     own sentinel would have
   */
  record Entry(int number, ObjectInfo info, Map<Long, ObjectInfo> sentinels) {}

  static SentinelBlock of(List<Entry> entries) {
    var named = new HashMap<Long, ObjectInfo>();
    entries.stream()
        .sorted(Comparator.comparingInt(Entry::number))
        .forEach(entry -> entry.sentinels().forEach(named::putIfAbsent));
    var next = entries.stream().mapToInt(entry -> entry.number() + 1).max().orElse(0);
    return new SentinelBlock(named, next);
  }

  /** With one more object, which has the next number. */
  SentinelBlock with(Map<Long, ObjectInfo> sentinels) {
    var all = new HashMap<>(named);
    sentinels.forEach(all::putIfAbsent);
    return new SentinelBlock(all, next + 1);
  }
}
