package dev.mayfly.cli.open;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.UserDocuments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tasks in a file of JSON lines: an object with the input and the variables, or of variables alone.
 */
final class TaskLinesFile {
  private static final int MOST_LINES = 100_000;

  private TaskLinesFile() {}

  /** Throws for a line that is not a task, with its number. */
  static List<Map<String, Object>> read(String file) {
    var tasks = new ArrayList<Map<String, Object>>();
    var number = 0;
    var text = UserDocuments.text(DocumentFile.bytes(file), DocumentFile.label(file));
    for (var line : text.lines().toList()) {
      number++;
      if (line.isBlank()) continue;
      if (number > MOST_LINES)
        throw CommandException.input(
            "%s has more than %,d lines; an open job has that many tasks at most"
                .formatted(file, MOST_LINES));
      tasks.add(task(line, DocumentFile.label(file) + ":" + number));
    }
    if (tasks.isEmpty())
      throw CommandException.input(
          file + " has no task; write one a line, for example {\"lr\": 0.1}");
    return tasks;
  }

  private static Map<String, Object> task(String line, String place) {
    try {
      return task(UserDocuments.fields(line.getBytes(StandardCharsets.UTF_8)));
    } catch (InvalidInputException notJson) {
      throw CommandException.input(
          "%s is not a task; write one like {\"lr\": 0.1}: %s"
              .formatted(place, notJson.problems().getFirst().message()),
          notJson);
    }
  }

  private static Map<String, Object> task(Map<String, Object> fields) {
    var isWhole = fields.get("variables") instanceof Map<?, ?>;
    var task = new LinkedHashMap<String, Object>(isWhole ? fields : Map.of());
    var variables = new LinkedHashMap<String, Object>();
    if (fields.get("variables") instanceof Map<?, ?> own)
      own.forEach((name, value) -> variables.put((String) name, value));
    else
      fields.forEach((name, value) -> (name.equals("input") ? task : variables).put(name, value));
    if (!variables.isEmpty()) task.put("variables", literals(variables));
    return task;
  }

  /** Values are data: {word} in one is no placeholder. */
  static Map<String, Object> literals(Map<String, ?> values) {
    var literals = new LinkedHashMap<String, Object>();
    values.forEach((name, value) ->
        literals.put(name, value instanceof String text ? UserDocuments.literal(text) : value));
    return literals;
  }
}
