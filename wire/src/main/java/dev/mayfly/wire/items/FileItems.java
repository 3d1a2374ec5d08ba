package dev.mayfly.wire.items;

import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The items of a file, each with a value for each name.
 *
 * @param names in the order of the columns
 */
public record FileItems(List<String> names, List<Map<String, String>> rows) {
  public FileItems {
    names = List.copyOf(names);
    rows = List.copyOf(rows);
  }

  /** The task list that a submission stores. Equal items give equal bytes. */
  public byte[] taskList() {
    return Wire.codec()
        .tasks(
            IntStream.range(0, rows.size())
                .mapToObj(i -> new TaskItem(i, Optional.empty(), rows.get(i)))
                .toList());
  }
}
