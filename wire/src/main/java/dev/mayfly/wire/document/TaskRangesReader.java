package dev.mayfly.wire.document;

import dev.mayfly.core.model.message.TaskRanges;
import java.util.List;

/** Reads which tasks of a job a command is about. */
record TaskRangesReader(FieldReader document) {
  /** After a problem, any ranges: the document is refused. */
  TaskRanges ranges() {
    var texts = document.texts("tasks");
    try {
      return TaskRanges.parse(String.join(",", texts));
    } catch (IllegalArgumentException wrong) {
      document.addProblem("tasks", String.valueOf(wrong.getMessage()));
      return new TaskRanges(List.of(new TaskRanges.Range(0, 0)));
    }
  }
}
