package dev.mayfly.wire.document;

import dev.mayfly.core.model.TaskRanges;
import java.util.List;

/** Reads which tasks of a job are meant. */
record TaskRangesReader(FieldReader document, String field) {
  /** After a problem, any ranges: the document is refused. */
  TaskRanges ranges() {
    var texts = document.texts(field);
    try {
      return TaskRanges.parse(String.join(",", texts));
    } catch (IllegalArgumentException wrong) {
      document.addProblem(field, String.valueOf(wrong.getMessage()));
      return new TaskRanges(List.of(new TaskRanges.Range(0, 0)));
    }
  }
}
