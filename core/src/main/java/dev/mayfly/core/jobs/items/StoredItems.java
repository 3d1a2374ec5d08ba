package dev.mayfly.core.jobs.items;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.List;

/** The task list that a client has made from a file of items. */
public record StoredItems(ObjectStore objectStore, Codec codec) {
  private static final String FIELD = "tasks.items.file";

  /** Bytes of a list. */
  private static final int MOST = 64 << 20;

  /**
   * All of the tasks. Anybody who may submit may have stored the list: other lines than a client's
   * are refused.
   */
  public List<TaskItem> read(TaskSource.ItemsFile source) {
    var items =
        objectStore
            .read(ObjectUrl.of(source.file()), MOST)
            .map(codec::tasks)
            .orElseThrow(() ->
                new InvalidInputException(
                    FIELD,
                    "there is no object %s; submit the file again".formatted(source.file())));
    for (var i = 0; i < items.size(); i++)
      if (!isOurs(items.get(i), i, source.names()))
        throw new InvalidInputException(
            FIELD,
            "%s is not a task list of a file with the columns %s (line %d); submit with mayfly submit"
                .formatted(source.file(), String.join(", ", source.names()), i + 1));
    return items;
  }

  private static boolean isOurs(TaskItem item, int index, List<String> names) {
    return item.index() == index
        && item.input().isEmpty()
        && item.vars().size() == names.size()
        && item.vars().keySet().containsAll(names);
  }

  /** Refuses another bucket: the control plane may read more of them than those who submit. */
  public static void checkPlace(TaskSource source, ClusterSpec cluster) {
    if (source instanceof TaskSource.ItemsFile file
        && !file.file().startsWith(cluster.bucket() + "/"))
      throw new InvalidInputException(
          FIELD,
          "%s is not in the cluster's bucket, %s; submit with mayfly submit, which stores it there"
              .formatted(file.file(), cluster.bucket()));
  }
}
