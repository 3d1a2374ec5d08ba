package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.DocumentLimits;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Reads the source of a job's tasks: exactly one of inputs, inputsOf, items, count, a matrix and
 * samples, the last two perhaps with seeds, which also stand alone.
 */
final class TasksReader {
  /** The name of the numbers in {@code seeds}. */
  static final String SEED = "seed";

  private static final long MAX_TASKS = 10_000;

  /** The first tasks of an open job are stored in one commit. */
  private static final int MOST_FIRST = 200;

  private static final List<String> OF_OPEN = List.of("variables", "openFor", "idleAfter");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The limit for all tasks, because one value of a matrix is in many tasks. */
  private static final long MOST_CHARACTERS = 16L * DocumentLimits.BYTES;

  private final FieldReader fieldReader;

  TasksReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  TaskSource source() {
    if (fieldReader.flag("open")) return open();
    for (var field : OF_OPEN)
      if (fieldReader.mapping().get(field).isPresent())
        fieldReader.addProblem(field, "is for open jobs; write open: true, or leave it out");
    var given =
        Stream.of("inputs", "inputsOf", "items", "count", "matrix", "samples", "seeds")
            .filter(this::has)
            .filter(f -> !f.equals("seeds") || !(has("matrix") || has("samples")))
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
    if (given.contains("inputsOf")) return inputsOf();
    if (given.contains("items")) return items();
    if (given.contains("samples")) return samples();
    if (given.contains("matrix") || given.contains("seeds")) return matrix();
    return new TaskSource.Count(fieldReader.integer("count", 1));
  }

  private boolean has(String field) {
    return fieldReader.mapping().get(field).isPresent();
  }

  private String grid() {
    return has("matrix") ? "matrix" : "seeds";
  }

  /** Every combination of the values, the last name changing fastest. */
  private TaskSource matrix() {
    var axes = new LinkedHashMap<String, List<String>>();
    if (fieldReader.mapping().get("matrix").orElse(null) instanceof SyntaxNode.Mapping mapping)
      mapping.fields().forEach((name, values) -> axes.put(name, values(values)));
    if (has("seeds")) {
      checkSeeds(axes.keySet(), "the matrix does");
      axes.put(SEED, seeds());
    }
    checkNames(axes.keySet(), "matrix.");
    var all =
        axes.values().stream()
            .mapToLong(List::size)
            .reduce(1, (a, b) -> Math.min(MAX_TASKS + 1, a * b));
    if (all > MAX_TASKS) {
      fieldReader.addProblem(
          grid(), "makes more than %,d tasks; make it several jobs".formatted(MAX_TASKS));
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

  private List<String> seeds() {
    var seeds = Math.min(MAX_TASKS + 1, fieldReader.integer("seeds", 1));
    return LongStream.range(0, seeds).mapToObj(Long::toString).toList();
  }

  private void checkSeeds(Set<String> names, String other) {
    if (names.contains(SEED))
      fieldReader.addProblem(
          "seeds", "gives each task its {seed}, and so %s; keep one of them".formatted(other));
  }

  /** Drawn combinations, each with every seed. */
  private TaskSource samples() {
    var sampleReader = new SampleReader(fieldReader.child("samples"));
    checkNames(sampleReader.names(), "samples.values.");
    if (!has("seeds")) return new TaskSource.Items(sampleReader.rows());
    checkSeeds(sampleReader.names(), "a sample does");
    var seeds = seeds();
    if (sampleReader.count() * seeds.size() > MAX_TASKS) {
      fieldReader.addProblem(
          "samples", "makes more than %,d tasks; make it several jobs".formatted(MAX_TASKS));
      return new TaskSource.Items(List.of());
    }
    var items = new ArrayList<Map<String, String>>();
    for (var row : sampleReader.rows())
      for (var seed : seeds) {
        var item = new LinkedHashMap<>(row);
        item.put(SEED, seed);
        items.add(item);
      }
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
    if (!isObject("inputs")) return new TaskSource.Inputs(glob(fieldReader, "inputs"));
    return new TaskSource.Gather(new TaskSource.Inputs(glob(fieldReader.child("inputs"), "all")));
  }

  private TaskSource inputsOf() {
    if (!isObject("inputsOf")) return new TaskSource.InputsOf(fieldReader.name("inputsOf"));
    var of = fieldReader.child("inputsOf");
    var outputs = new TaskSource.InputsOf(of.name("job"));
    return of.flag("gather") ? new TaskSource.Gather(outputs) : outputs;
  }

  private boolean isObject(String field) {
    return fieldReader.mapping().get(field).orElse(null) instanceof SyntaxNode.Mapping;
  }

  private static String glob(FieldReader reader, String field) {
    return reader.read(field, TasksReader::glob).orElse("");
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

  private TaskSource open() {
    for (var other : List.of("inputs", "inputsOf", "count", "matrix", "samples", "seeds"))
      if (fieldReader.mapping().get(other).isPresent())
        fieldReader.addProblem(
            other, "is not for open jobs; name the first tasks in items, and add the others");
    var items = itemsOf("items");
    if (fieldReader.mapping().get("items").orElse(null) instanceof SyntaxNode.Mapping)
      fieldReader.addProblem(
          "items",
          "is a file, which open jobs do not read; mayfly add JOB --file adds tasks of one");
    if (items.size() > MOST_FIRST)
      fieldReader.addProblem(
          "items",
          "has more than %d first tasks of an open job; add the rest".formatted(MOST_FIRST));
    var variables = fieldReader.texts("variables");
    checkNames(new LinkedHashSet<>(variables), "variables.");
    for (var i = 0; i < items.size(); i++)
      for (var name : variables)
        if (!items.get(i).containsKey(name))
          fieldReader.addProblem(
              "items[" + i + "]", "lacks %s, which variables declares".formatted(name));
    return new TaskSource.Open(
        items,
        variables,
        fieldReader.duration("openFor", Duration.ofHours(24), MINUTE, Duration.ofDays(30)),
        fieldReader.duration("idleAfter", Duration.ofHours(1), MINUTE, Duration.ofDays(30)));
  }

  /** The tasks that a message adds to an open job. */
  static List<UserCommand.NewTask> added(FieldReader fieldReader) {
    var tasks = new ArrayList<UserCommand.NewTask>();
    var rows = fieldReader.list("tasks");
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof SyntaxNode.Mapping row)) continue;
      var place = "tasks[" + i + "]";
      var input = row.text("input");
      input.ifPresent(url -> checkInput(fieldReader, place, url));
      var variables = new LinkedHashMap<String, String>();
      if (row.get("variables").orElse(null) instanceof SyntaxNode.Mapping values)
        values
            .fields()
            .forEach((name, value) ->
                FieldReader.scalar(value).ifPresent(text -> variables.put(name, text)));
      new TasksReader(fieldReader).checkNames(variables.keySet(), place + ".variables.");
      tasks.add(new UserCommand.NewTask(input, variables));
    }
    return tasks;
  }

  private static void checkInput(FieldReader fieldReader, String place, String url) {
    try {
      var objectUrl = ObjectUrl.of(url);
      if (objectUrl.name().isEmpty() || objectUrl.name().endsWith("/"))
        fieldReader.addProblem(place + ".input", "'" + url + "' is not an object; write its name");
    } catch (IllegalArgumentException noUrl) {
      fieldReader.addProblem(place + ".input", String.valueOf(noUrl.getMessage()));
    }
  }

  private TaskSource items() {
    if (!(fieldReader.mapping().get("items").orElse(null) instanceof SyntaxNode.Mapping))
      return new TaskSource.Items(itemsOf("items"));
    var file = fieldReader.child("items");
    var names = file.texts("names");
    checkNames(new LinkedHashSet<>(names), "items.names.");
    return new TaskSource.ItemsFile(file.name("file"), names);
  }

  private List<Map<String, String>> itemsOf(String field) {
    var items = new ArrayList<Map<String, String>>();
    var rows = fieldReader.list(field);
    for (var i = 0; i < rows.size(); i++) items.add(item(rows.get(i), i));
    return items;
  }

  private Map<String, String> item(SyntaxNode syntaxNode, int i) {
    var item = new LinkedHashMap<String, String>();
    var fields =
        syntaxNode instanceof SyntaxNode.Mapping mapping
            ? mapping.fields()
            : Map.of("item", syntaxNode);
    fields.forEach(
        (name, value) -> FieldReader.scalar(value).ifPresent(text -> item.put(name, text)));
    checkNames(item.keySet(), "items[" + i + "].");
    return item;
  }

  /** Refuses Mayfly's own names, and two that would be one environment variable. */
  private void checkNames(Set<String> names, String path) {
    var variables = new HashMap<String, String>();
    for (var name : names) {
      if (TaskTemplate.NAMES.contains(name))
        fieldReader.addProblem(path + name, "is what each task has by itself; choose another name");
      var other = variables.putIfAbsent(TaskItem.variable(name), name);
      if (other != null)
        fieldReader.addProblem(
            path + name,
            "and %s would both be the variable %s; choose another name"
                .formatted(other, TaskItem.variable(name)));
    }
  }
}
