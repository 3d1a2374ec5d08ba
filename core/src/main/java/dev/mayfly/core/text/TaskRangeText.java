package dev.mayfly.core.text;

import dev.mayfly.core.model.TaskSet;
import java.util.ArrayList;

/** Sets of tasks as people read them: {@code 0-17, 20}. */
public final class TaskRangeText {
  /** The most ranges that are named; a set of every second task would be as long as its tasks. */
  private static final int MOST = 20;

  private TaskRangeText() {}

  /** Empty for none; {@code 1, 3, 5 … (5,000 in all)} if there are many ranges. */
  public static String of(TaskSet tasks) {
    var ranges = new ArrayList<String>();
    var indexes = tasks.indexes().iterator();
    var next = indexes.hasNext() ? indexes.nextLong() : -1;
    while (next >= 0 && ranges.size() < MOST) {
      var from = next;
      var last = next;
      next = -1;
      while (indexes.hasNext() && next < 0) {
        var index = indexes.nextLong();
        if (index == last + 1) last = index;
        else next = index;
      }
      ranges.add(from == last ? Long.toString(from) : from + "-" + last);
    }
    var text = String.join(", ", ranges);
    return next < 0 ? text : "%s … (%,d in all)".formatted(text, tasks.count());
  }
}
