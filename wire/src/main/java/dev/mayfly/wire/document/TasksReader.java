package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.DocumentLimits;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Reads the source of a job's tasks: exactly one of inputs, items, a matrix (or seeds) and count.
 */
final class TasksReader {
  /** The name of the numbers in {@code seeds}. */
  private static final String SEED = "seed";

  private static final long MOST = 10_000;

  /** The limit for all tasks, because one value of a matrix is in many tasks. */
  private static final long MOST_CHARACTERS = 16L * DocumentLimits.BYTES;

  private final FieldReader fieldReader;

  TasksReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  TaskSource source() {
    var given =
        Stream.of("inputs", "items", "count", grid())
            .filter(f -> fieldReader.mapping().get(f).isPresent())
            .toList();
    if (given.size() != 1)
      fieldReader
          .problems()
          .add(
              new InputError(
                  fieldReader.path(),
                  given.isEmpty()
                      ? "says no tasks; write inputs: gs://bucket/*.txt, items: [a, b] or count: 10"
                      : "has " + String.join(" and ", given) + "; keep one of them"));
    if (given.contains("inputs")) return inputs();
    if (given.contains("items")) return items();
    if (given.contains(grid())) return matrix();
    return new TaskSource.Count(fieldReader.integer("count", 1));
  }

  /** The field of a matrix, with or without seeds, or of seeds alone: together one source. */
  private String grid() {
    return fieldReader.mapping().get("matrix").isPresent() ? "matrix" : "seeds";
  }

  /** Every combination of the values, the last name changing fastest. */
  private TaskSource matrix() {
    var axes = new LinkedHashMap<String, List<String>>();
    if (fieldReader.mapping().get("matrix").orElse(null) instanceof SyntaxNode.Mapping mapping)
      mapping.fields().forEach((name, values) -> axes.put(name, values(values)));
    if (fieldReader.mapping().get("seeds").isPresent()) {
      if (axes.containsKey(SEED))
        fieldReader.addProblem(
            "seeds", "gives each task its {seed}, and so does the matrix; keep one of them");
      var seeds = Math.min(MOST + 1, fieldReader.integer("seeds", 1));
      axes.put(SEED, LongStream.range(0, seeds).mapToObj(Long::toString).toList());
    }
    for (var name : axes.keySet())
      if (TaskTemplate.NAMES.contains(name))
        fieldReader.addProblem(
            "matrix." + name, "is what each task has by itself; choose another name");
    var all =
        axes.values().stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(MOST + 1, a * b));
    if (all > MOST) {
      fieldReader.addProblem(
          grid(), "makes more than %,d tasks; make it several jobs".formatted(MOST));
      return new TaskSource.Items(List.of());
    }
    if (characters(axes, all) > MOST_CHARACTERS) {
      fieldReader.addProblem(
          grid(),
          "has values of more than %d MB when each task has its own; make them shorter, or files"
              .formatted(MOST_CHARACTERS >> 20));
      return new TaskSource.Items(List.of());
    }
    var items = new ArrayList<Map<String, String>>();
    for (var number = 0; number < all; number++) items.add(combination(axes, number));
    return new TaskSource.Items(items);
  }

  /** The total characters of the names and values of all tasks. */
  private static long characters(Map<String, List<String>> axes, long tasks) {
    var characters = 0L;
    for (var axis : axes.entrySet()) {
      var values = axis.getValue();
      if (values.isEmpty()) continue;
      var once = values.stream().mapToLong(String::length).sum();
      characters += tasks * axis.getKey().length() + tasks / values.size() * once;
    }
    return characters;
  }

  /** The combination with that number; the last name changes fastest. */
  private static Map<String, String> combination(Map<String, List<String>> axes, int number) {
    var names = List.copyOf(axes.keySet()).reversed();
    var values = new HashMap<String, String>();
    var rest = number;
    for (var name : names) {
      var axis = axes.getOrDefault(name, List.of());
      values.put(name, axis.get(rest % axis.size()));
      rest /= axis.size();
    }
    var item = new LinkedHashMap<String, String>();
    axes.keySet().forEach(name -> item.put(name, values.getOrDefault(name, "")));
    return item;
  }

  private static List<String> values(SyntaxNode syntaxNode) {
    return syntaxNode instanceof SyntaxNode.Sequence sequence
        ? sequence.items().stream().flatMap(i -> FieldReader.scalar(i).stream()).toList()
        : List.of();
  }

  private TaskSource inputs() {
    return new TaskSource.Inputs(fieldReader.read("inputs", TasksReader::glob).orElse(""));
  }

  private static String glob(String text) {
    var objectUrl = ObjectUrl.of(text);
    if (objectUrl.name().isEmpty() || objectUrl.name().startsWith("/"))
      throw new IllegalArgumentException(
          "'" + text + "' names no objects; write it like " + objectUrl.root() + "/in/*.txt");
    if (text.endsWith(Sentinel.SUFFIX))
      throw new IllegalArgumentException("'" + text + "' names sentinels, which are never inputs");
    return text;
  }

  private TaskSource items() {
    var items = new ArrayList<Map<String, String>>();
    var rows = fieldReader.list("items");
    for (var i = 0; i < rows.size(); i++) items.add(item(rows.get(i), i));
    return new TaskSource.Items(items);
  }

  private Map<String, String> item(SyntaxNode syntaxNode, int i) {
    var item = new LinkedHashMap<String, String>();
    var fields =
        syntaxNode instanceof SyntaxNode.Mapping mapping
            ? mapping.fields()
            : Map.of("item", syntaxNode);
    fields.forEach(
        (name, value) -> FieldReader.scalar(value).ifPresent(text -> item.put(name, text)));
    for (var name : item.keySet())
      if (TaskTemplate.NAMES.contains(name))
        fieldReader.addProblem(
            "items[" + i + "]." + name, "is what each task has by itself; choose another name");
    return item;
  }

  /** The names that every item has. */
  static List<String> names(TaskSource source) {
    if (!(source instanceof TaskSource.Items items) || items.items().isEmpty()) return List.of();
    return items.items().getFirst().keySet().stream()
        .filter(name -> items.items().stream().allMatch(i -> i.containsKey(name)))
        .toList();
  }

  /** The placeholders that a job's tasks fill, including the names in its items. */
  static Set<String> placeholders(SyntaxNode.Mapping job) {
    var names = new HashSet<>(TaskTemplate.NAMES);
    if (job.at("tasks.items") instanceof SyntaxNode.Sequence items)
      for (var item : items.items()) {
        if (item instanceof SyntaxNode.Mapping mapping) names.addAll(mapping.fields().keySet());
        else names.add("item");
      }
    if (job.get("tasks").orElse(null) instanceof SyntaxNode.Mapping tasks) {
      if (tasks.get("matrix").orElse(null) instanceof SyntaxNode.Mapping matrix)
        names.addAll(matrix.fields().keySet());
      if (tasks.get("seeds").isPresent()) names.add(SEED);
    }
    return names;
  }
}
