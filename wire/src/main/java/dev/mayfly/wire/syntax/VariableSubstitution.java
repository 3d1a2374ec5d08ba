package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.text.TaskTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Substitutes {name} in every text of a document.
 *
 * <p>A text that consists of one {name} becomes the value itself, so variables may also be numbers
 * and lists. Task placeholders ({input}, {index}, an item's names) are kept in task fields: the
 * caller defines which names are kept at which path. Any other {name} is a problem. {@code
 * {{name}}} stands for the text {name} and is kept here: {@link #unescaped} removes the second pair
 * of braces when the document is finally read.
 */
public final class VariableSubstitution {
  private static final Pattern WORD =
      Pattern.compile("\\{\\{[A-Za-z_][A-Za-z0-9_]*\\}\\}|\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

  /** The environment variables with the values of task placeholders. */
  private static final Map<String, String> IN_ENVIRONMENT =
      Map.of(
          "index", "MAYFLY_INDEX",
          "job", "MAYFLY_JOB",
          "attempt", "MAYFLY_ATTEMPT",
          "input", "MAYFLY_INPUT_URL",
          "output", "MAYFLY_OUTPUT_URL",
          "inputFile", "MAYFLY_INPUT",
          "outputFile", "MAYFLY_OUTPUT");

  private final Map<String, SyntaxNode> values;
  private final Function<String, Set<String>> kept;
  private final Set<String> ofTasks;
  private final ExpansionLimit limit;
  private final ProblemList problems = new ProblemList();

  /**
   * @param kept by path, the names that are kept
   * @param ofTasks all task placeholders, to explain where they are unavailable
   * @param limit counts the expansion over all documents of a message
   */
  public VariableSubstitution(
      Map<String, SyntaxNode> values,
      Function<String, Set<String>> kept,
      Set<String> ofTasks,
      ExpansionLimit limit) {
    this.values = values;
    this.kept = kept;
    this.ofTasks = ofTasks;
    this.limit = limit;
    for (var name : values.keySet())
      if (TaskTemplate.NAMES.contains(name))
        problems.add(
            new InputError(
                "variables." + name, "is what each task has by itself; choose another name"));
  }

  public ProblemList problems() {
    return problems;
  }

  public SyntaxNode.Mapping substitute(SyntaxNode.Mapping document) {
    return (SyntaxNode.Mapping) substitute(document, "");
  }

  private SyntaxNode substitute(SyntaxNode syntaxNode, String path) {
    limit.add(syntaxNode);
    return switch (syntaxNode) {
      case SyntaxNode.Mapping mapping -> {
        var fields = new LinkedHashMap<String, SyntaxNode>();
        mapping
            .fields()
            .forEach((k, v) -> fields.put(k, substitute(v, path.isEmpty() ? k : path + "." + k)));
        yield new SyntaxNode.Mapping(fields, mapping.line());
      }
      case SyntaxNode.Sequence sequence -> {
        var items = new ArrayList<SyntaxNode>();
        for (var item : sequence.items())
          items.add(substitute(item, path + "[" + items.size() + "]"));
        yield new SyntaxNode.Sequence(items, sequence.line());
      }
      case SyntaxNode.Text text -> text.value().indexOf('{') < 0 ? text : text(text, path);
      default -> syntaxNode;
    };
  }

  private SyntaxNode text(SyntaxNode.Text text, String path) {
    var whole = WORD.matcher(text.value());
    if (whole.matches() && whole.group(1) != null && values.containsKey(whole.group(1)))
      return whole(values.getOrDefault(whole.group(1), text), path);
    var filled =
        WORD.matcher(text.value()).replaceAll(m -> Matcher.quoteReplacement(counted(m, path)));
    check(filled, path);
    return new SyntaxNode.Text(filled, text.line());
  }

  private String counted(MatchResult word, String path) {
    var value = value(word, path);
    limit.addText(value.length());
    return value;
  }

  private String value(MatchResult word, String path) {
    var value = word.group(1) == null ? null : values.get(word.group(1));
    return switch (value) {
      case null -> word.group();
      case SyntaxNode.Text text -> text.value();
      case SyntaxNode.Literal literal -> literal.written();
      case SyntaxNode other -> {
        problems.add(
            new InputError(
                path,
                "{" + word.group(1) + "} is " + other.what() + " and cannot be inside a text"));
        yield "";
      }
    };
  }

  /**
   * Only task placeholders may remain, because a published document is read again without the
   * variables.
   */
  private SyntaxNode whole(SyntaxNode syntaxNode, String path) {
    limit.add(syntaxNode);
    switch (syntaxNode) {
      case SyntaxNode.Text text -> check(text.value(), path);
      case SyntaxNode.Mapping mapping ->
          mapping.fields().forEach((name, value) -> whole(value, path + "." + name));
      case SyntaxNode.Sequence sequence -> sequence.items().forEach(item -> whole(item, path));
      default -> {}
    }
    return syntaxNode;
  }

  private void check(String text, String path) {
    for (var word : TaskTemplate.placeholders(text))
      if (!kept.apply(path).contains(word)) problems.add(new InputError(path, unset(word, path)));
  }

  private String unset(String word, String path) {
    if (!kept.apply("command").contains(word) && ofTasks.contains(word))
      return "{" + word + "} is known in tasks.output only; set it under variables to use it here";
    if (ofTasks.contains(word))
      return "{"
          + word
          + "} is known in a task's command and output only; "
          + (path.startsWith("env") && IN_ENVIRONMENT.containsKey(word)
              ? "each task's environment has it as " + IN_ENVIRONMENT.get(word)
              : "put it into the command");
    return "{"
        + word
        + "} has no value; set it under variables, or write {{"
        + word
        + "}} for the text {"
        + word
        + "}";
  }

  /** Replaces {@code {{name}}} by {@code {name}}. */
  public static String unescaped(String text) {
    return TaskTemplate.fill(text, Map.of());
  }
}
