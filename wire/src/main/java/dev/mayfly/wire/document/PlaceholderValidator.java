package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks that each {placeholder} has a value in every task, and that no two tasks share an output.
 */
final class PlaceholderValidator {
  private static final Set<String> OF_INPUTS = Set.of("input", "inputFile", "stem", "file");

  private static final Set<String> OF_ONE_INPUT = Set.of("stem", "file");

  /** The limit in an output, which is filled for each task. */
  private static final int MOST_NAMED = 8;

  private static final int MOST_WORDS = 50;

  /** Cloud Storage allows 1,024 bytes, and the sentinel's name is longer than the output's. */
  private static final int LONGEST_NAME = 1024 - Sentinel.SUFFIX.length();

  private static final Map<String, String> SAMPLE =
      Map.of(
          "index",
          "0",
          "job",
          "job",
          "stem",
          "a",
          "file",
          "a.txt",
          "name",
          "job",
          "owner",
          "ann",
          "date",
          "2026-01-31");

  private final FieldReader fieldReader;
  private final TaskSource source;
  private final List<String> own;

  PlaceholderValidator(FieldReader fieldReader, TaskSource source) {
    this.fieldReader = fieldReader;
    this.source = source;
    this.own = names(source);
  }

  void command(List<String> argv) {
    for (var i = 0; i < argv.size(); i++) {
      for (var word : words(argv.get(i))) known("command[" + i + "]", word, TaskTemplate.NAMES);
      for (var name : TaskTemplate.shellVariables(argv.get(i)))
        if (isOurs(name) && !isShells(name, argv))
          fieldReader.addProblem(
              "command[" + i + "]",
              "${%1$s} is the shell's, which has no variable %1$s here: %2$s, or write ${{%1$s}} if it has"
                  .formatted(name, remedyInShell(name)));
    }
  }

  private boolean isOurs(String name) {
    return own.contains(name) || TaskTemplate.NAMES.contains(name);
  }

  /** Where a shell has the value of {name}. */
  private String remedyInShell(String name) {
    if (own.contains(name)) return "write $" + TaskItem.variable(name);
    return TaskTemplate.VARIABLES.containsKey(name)
        ? "write $" + TaskTemplate.VARIABLES.get(name)
        : "take it from $MAYFLY_INPUT";
  }

  /** Whether the job may have given the shell such a variable: it is named otherwise too. */
  private boolean isShells(String name, List<String> argv) {
    var named = Pattern.compile("(?<![\\w{$])" + name + "(?!\\w)");
    return fieldReader.child("env").mapping().get(name).isPresent()
        || argv.stream().anyMatch(word -> named.matcher(word).find());
  }

  /** Without duplicates, because a search in ten thousand items is slow. */
  private static Set<String> words(String template) {
    return new LinkedHashSet<>(TaskTemplate.placeholders(template));
  }

  void output(String template) {
    if (TaskTemplate.placeholders(template).size() > MOST_WORDS) {
      fieldReader.addProblem(
          "tasks.output", "has more than " + MOST_WORDS + " {words}; write fewer");
      return;
    }
    var words = words(template);
    for (var word : words) known("tasks.output", word, TaskTemplate.OUTPUT_NAMES);
    if (many() && words.stream().noneMatch(this::differs))
      fieldReader.addProblem(
          "tasks.output",
          "'"
              + template
              + "' is one output for all tasks; put "
              + remedy()
              + " in it"
              + orGather());
    else if (source instanceof TaskSource.Items items) ofItems(template, items);
    else checkPlace("tasks.output", template, TaskTemplate.fill(template, SAMPLE));
  }

  /** A folder of each task's own. */
  void checkpoint(String template) {
    var words = words(template);
    for (var word : words) known("checkpoint", word, TaskTemplate.OUTPUT_NAMES);
    if (!template.endsWith("/"))
      fieldReader.addProblem(
          "checkpoint", "'" + template + "' is a folder of objects; write a / at its end");
    else if (many() && words.stream().noneMatch(this::differs))
      fieldReader.addProblem(
          "checkpoint",
          "'" + template + "' is one folder for all tasks; put " + remedy() + " in it");
    var sample = TaskTemplate.fill(template, SAMPLE);
    if (sample.endsWith("/")) checkPlace("checkpoint", template, sample + "x");
  }

  private boolean differs(String word) {
    if (word.equals("index") || isUnread()) return true;
    // What is added later may have the same values.
    return !(source instanceof TaskSource.Open) && (OF_INPUTS.contains(word) || own.contains(word));
  }

  private boolean many() {
    return switch (source) {
      case TaskSource.Inputs inputs -> inputs.glob().contains("*") || inputs.glob().contains("?");
      case TaskSource.Items items -> items.items().size() > 1;
      case TaskSource.Count count -> count.count() > 1;
      case TaskSource.Gather _ -> false;
      case TaskSource.Open _, TaskSource.InputsOf _, TaskSource.ItemsFile _ -> true;
    };
  }

  /** A merge that was written like a map. */
  private String orGather() {
    return switch (source) {
      case TaskSource.Inputs(String glob) ->
          ", or read all in one task: inputs: {all: \"%s\"}".formatted(glob);
      case TaskSource.InputsOf(String job) ->
          ", or read all in one task: inputsOf: {job: %s, gather: true}".formatted(job);
      default -> "";
    };
  }

  private String remedy() {
    if (source instanceof TaskSource.Open) return "{index}";
    if (source instanceof TaskSource.InputsOf)
      return "{index}, or {stem} or {file} where these differ,";
    if (source instanceof TaskSource.Inputs) return "{stem}, {file} or {index}";
    var names = own.stream().sorted().map(n -> "{" + n + "}").toList();
    if (names.size() < 2) return names.isEmpty() ? "{index}" : names.getFirst() + " or {index}";
    if (names.size() > MOST_NAMED) return "{index}";
    var last = names.size() - 1;
    return "{index}, or "
        + String.join(", ", names.subList(0, last))
        + " and "
        + names.get(last)
        + " together,";
  }

  private void known(String path, String word, Set<String> names) {
    if (own.contains(word) || isUnread()) return;
    if (!names.contains(word))
      fieldReader.addProblem(
          path,
          "{"
              + word
              + "} "
              + (TaskTemplate.NAMES.contains(word)
                  ? "is not known before a task runs"
                  : lacking(word)));
    else if (source instanceof TaskSource.Open open && OF_INPUTS.contains(word)) {
      if (!open.items().isEmpty())
        fieldReader.addProblem(
            path,
            "{" + word + "} has no value in the tasks that tasks.items names; add those later");
    } else if (OF_INPUTS.contains(word) && source.listed().isEmpty())
      fieldReader.addProblem(
          path,
          "{" + word + "} has no value: the tasks have no inputs; use {index}, or tasks.inputs");
    else if (OF_ONE_INPUT.contains(word) && source instanceof TaskSource.Gather)
      fieldReader.addProblem(
          path,
          "{"
              + word
              + "} is of one object, and this task reads many as a folder: {inputFile}, or $MAYFLY_INPUT; write a name of its own");
  }

  /** Whether its names are not known, because a file of the submitter's is not read yet. */
  private boolean isUnread() {
    return source instanceof TaskSource.ItemsFile file && file.names().isEmpty();
  }

  private String lacking(String word) {
    if (source instanceof TaskSource.Open)
      return "has no value; name it in tasks.variables, so that each added task has one";
    if (source instanceof TaskSource.ItemsFile file)
      return "is not a column of tasks.items.file; those are " + String.join(", ", file.names());
    if (!(source instanceof TaskSource.Items items)) return "has no value; set it under variables";
    var i = 0;
    while (i < items.items().size() && items.items().get(i).containsKey(word)) i++;
    return "has no value in tasks.items[" + i + "]; give each item one";
  }

  private void ofItems(String template, TaskSource.Items items) {
    var seen = new HashMap<String, Integer>();
    for (var i = 0; i < items.items().size(); i++) {
      var item = new TaskItem(i, Optional.empty(), items.items().get(i));
      var output =
          TaskTemplate.fill(
              template, TaskTemplate.placeholderValues(fieldReader.name("name"), item));
      var other = seen.putIfAbsent(output, i);
      if (other != null) {
        fieldReader.addProblem(
            "tasks.items[" + i + "]",
            "has the output of tasks.items["
                + other
                + "], "
                + output
                + "; put {index} in tasks.output");
        return;
      }
      if (!checkPlace("tasks.output", template, output)) return;
    }
  }

  private boolean checkPlace(String field, String template, String output) {
    try {
      var objectUrl = ObjectUrl.of(output);
      if (objectUrl.name().isEmpty()
          || objectUrl.name().endsWith("/")
          || objectUrl.name().startsWith("/"))
        throw new IllegalArgumentException(
            "'" + template + "' is not an object; write a name behind the last /");
      var bytes = objectUrl.name().getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_NAME)
        throw new IllegalArgumentException(
            "'%s' makes names of %d bytes; at most %d are left beside the sentinel's %s"
                .formatted(template, bytes, LONGEST_NAME, Sentinel.SUFFIX));
      if (output.endsWith(Sentinel.SUFFIX))
        throw new IllegalArgumentException(
            "'"
                + template
                + "' ends like a sentinel; leave "
                + Sentinel.SUFFIX
                + " out, Mayfly adds it");
      return true;
    } catch (IllegalArgumentException e) {
      fieldReader.addProblem(field, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** The names that every item has. */
  static List<String> names(TaskSource source) {
    if (source instanceof TaskSource.Open open) return open.variables();
    if (source instanceof TaskSource.ItemsFile file) return file.names();
    if (!(source instanceof TaskSource.Items items) || items.items().isEmpty()) return List.of();
    return items.items().getFirst().keySet().stream()
        .filter(name -> items.items().stream().allMatch(i -> i.containsKey(name)))
        .toList();
  }

  /**
   * The placeholders that a job's tasks fill, including the names in its items.
   *
   * @param filled words that the document's variables fill
   */
  static Set<String> placeholders(SyntaxNode.Mapping job, Map<String, SyntaxNode> filled) {
    var names = new HashSet<>(TaskTemplate.NAMES);
    if (job.at("tasks.items") instanceof SyntaxNode.Sequence items)
      for (var item : items.items()) {
        if (item instanceof SyntaxNode.Mapping mapping) names.addAll(mapping.fields().keySet());
        else names.add("item");
      }
    if (job.get("tasks").orElse(null) instanceof SyntaxNode.Mapping tasks) {
      if (tasks.get("items").orElse(null) instanceof SyntaxNode.Mapping file)
        names.addAll(columns(file, job, filled));
      if (tasks.get("matrix").orElse(null) instanceof SyntaxNode.Mapping matrix)
        names.addAll(matrix.fields().keySet());
      if (tasks.at("samples.values") instanceof SyntaxNode.Mapping values)
        names.addAll(values.fields().keySet());
      if (tasks.get("seeds").isPresent()) names.add(TasksReader.SEED);
      if (tasks.get("variables").orElse(null) instanceof SyntaxNode.Sequence variables)
        variables.items().forEach(name -> FieldReader.scalar(name).ifPresent(names::add));
    }
    return names;
  }

  /** Of a file that is not read yet, each word may be a column. */
  private static List<String> columns(
      SyntaxNode.Mapping file, SyntaxNode.Mapping job, Map<String, SyntaxNode> filled) {
    if (file.get("names").orElse(null) instanceof SyntaxNode.Sequence known)
      return known.items().stream().flatMap(name -> FieldReader.scalar(name).stream()).toList();
    return TaskTemplate.placeholders(job.json()).stream()
        .filter(word -> !filled.containsKey(word))
        .toList();
  }
}
