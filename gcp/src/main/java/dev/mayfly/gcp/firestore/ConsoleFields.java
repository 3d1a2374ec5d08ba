package dev.mayfly.gcp.firestore;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.text.DocumentSummary;
import dev.mayfly.core.text.TaskRangeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Fields of stored documents that only people read, in the console. Mayfly ignores them when it
 * reads a document, and each of its writes makes them anew.
 */
final class ConsoleFields {
  private ConsoleFields() {}

  /** Adds a name and a line, says sets of tasks in words, and leaves out what says nothing. */
  static void add(LedgerDocument document, Map<String, Object> fields) {
    DocumentSummary.name(document).ifPresent(name -> fields.put("name", name));
    DocumentSummary.of(document).ifPresent(line -> fields.put("summary", line));
    if (document instanceof Shard shard) {
      fields.put("doneTasks", TaskRangeText.of(shard.done()));
      fields.put("failedTasks", TaskRangeText.of(shard.failed()));
      // Absent reads as the epoch.
      for (var time : List.of("leasedAt", "checkpointAt", "splitAt"))
        fields.remove(time, Instant.EPOCH);
    }
    // Absent reads as 0: no task of it needs several hosts.
    if (document instanceof Job job
        && job.spec().gang() == 0
        && fields.get("spec") instanceof Map<?, ?> spec) spec.remove("gang");
  }
}
