package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.TaskTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts {@code defaults} and {@code variables} into the documents of one message.
 *
 * <p>A document without a {@code kind} that has {@code defaults} or {@code variables} is a header:
 * both apply to all documents after it. In {@code defaults}, an entry under a kind's name ({@code
 * Job: {…}}) applies to that kind only. A document may also have its own {@code variables}. Objects
 * merge field by field; any other value of a document replaces the default. The caller's variables
 * override those of the file.
 *
 * <p>Each {name} in a text is replaced by the variable's value. A text that consists of one {name}
 * becomes the value itself, so variables may also be numbers and lists. The placeholders of tasks
 * ({input}, {index}, an item's names) stay in the command and the output. Any other {name} is a
 * problem. {@code {{name}}} stands for the text {name} and stays until a field is read. {@code
 * ${name}} is a shell's: it stays in a text that a shell reads, and is a problem elsewhere.
 *
 * <p>A few bytes may stand for gigabytes, so what is put in is counted over the whole message and
 * refused before memory is full.
 */
public final class DocumentExpander {
  private static final Set<String> HEADER = Set.of("apiVersion", "defaults", "variables");
  private static final SyntaxNode.Mapping EMPTY = new SyntaxNode.Mapping(Map.of(), 1);
  private static final Pattern WORD =
      Pattern.compile("\\{\\{[A-Za-z_][A-Za-z0-9_]*\\}\\}|(?<!\\$)\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

  /** A document with its defaults, before its variables are put in. */
  public record MergedDocument(SyntaxNode.Mapping document, Map<String, SyntaxNode> variables) {}

  private final Map<String, SyntaxNode> given = new LinkedHashMap<>();
  private final Map<String, SyntaxNode> variables = new LinkedHashMap<>();
  private final Set<String> kinds;
  private SyntaxNode.Mapping defaults = EMPTY;
  private long characters;
  private long values;

  /**
   * @param given the caller's variables, read like unquoted values of a file
   */
  public DocumentExpander(Map<String, String> given, Set<String> kinds) {
    given.forEach((name, value) -> this.given.put(name, given(value)));
    this.kinds = kinds;
  }

  /** A command line has no empty values: {@code ~} is a home, and nothing an empty text. */
  private static SyntaxNode given(String value) {
    return SyntaxNode.plain(value, 1) instanceof SyntaxNode.Literal literal
        ? literal
        : new SyntaxNode.Text(value, 1);
  }

  /** The document with its defaults; empty for a header. */
  public Optional<MergedDocument> merged(SyntaxNode syntaxNode, ProblemList problems) {
    if (!(syntaxNode instanceof SyntaxNode.Mapping mapping)) {
      problems.add(
          new InputError("", "a document is an object with a kind, not " + syntaxNode.what()));
      return Optional.empty();
    }
    if (isHeader(mapping)) {
      addHeader(mapping, problems);
      return Optional.empty();
    }
    var own = new LinkedHashMap<>(variables);
    own.putAll(table(mapping, "variables", problems));
    own.putAll(given);
    return Optional.of(new MergedDocument(withDefaults(mapping.without("variables")), own));
  }

  private static boolean isHeader(SyntaxNode.Mapping mapping) {
    return mapping.get("kind").isEmpty()
        && (mapping.get("defaults").isPresent() || mapping.get("variables").isPresent());
  }

  private void addHeader(SyntaxNode.Mapping header, ProblemList problems) {
    for (var field : header.fields().keySet())
      if (!HEADER.contains(field))
        problems.add(
            new InputError(
                field,
                "has no place in a document without a kind; put it under defaults, or add a kind"));
    variables.putAll(table(header, "variables", problems));
    var more = table(header, "defaults", problems);
    defaults = merge(defaults, new SyntaxNode.Mapping(more, header.line()));
  }

  private static Map<String, SyntaxNode> table(
      SyntaxNode.Mapping of, String field, ProblemList problems) {
    var value = of.get(field).orElse(EMPTY);
    if (value instanceof SyntaxNode.Mapping mapping) return mapping.fields();
    problems.add(
        new InputError(field, "is " + value.what() + "; write an object like {name: value}"));
    return Map.of();
  }

  private SyntaxNode.Mapping withDefaults(SyntaxNode.Mapping document) {
    var common = defaults;
    for (var kind : kinds) common = common.without(kind);
    var ofKind = document.text("kind").flatMap(defaults::get);
    if (ofKind.orElse(null) instanceof SyntaxNode.Mapping own) common = merge(common, own);
    return merge(common, document);
  }

  private static SyntaxNode.Mapping merge(SyntaxNode.Mapping under, SyntaxNode.Mapping over) {
    var fields = new LinkedHashMap<>(under.fields());
    over.fields()
        .forEach((name, value) ->
            fields.merge(
                name,
                value,
                (a, b) ->
                    a instanceof SyntaxNode.Mapping x && b instanceof SyntaxNode.Mapping y
                        ? merge(x, y)
                        : b));
    return new SyntaxNode.Mapping(fields, over.line());
  }

  /**
   * The document with its variables put in.
   *
   * @param inCommand the placeholders of tasks that a command may have; none unless it is a job
   * @param inOutput those that an output may have
   */
  public SyntaxNode.Mapping substituted(
      MergedDocument merged, Set<String> inCommand, Set<String> inOutput, ProblemList problems) {
    for (var name : merged.variables().keySet())
      if (TaskTemplate.NAMES.contains(name))
        problems.add(
            new InputError(
                "variables." + name, "is what each task has by itself; choose another name"));
    var substitution = new Substitution(merged, inCommand, inOutput, problems);
    return (SyntaxNode.Mapping) substitution.of(merged.document(), "");
  }

  private void count(SyntaxNode syntaxNode) {
    values++;
    if (values > DocumentLimits.VALUES)
      throw new InvalidInputException(
          "",
          "is more than %,d values once defaults and variables are put in; make it several messages"
              .formatted(DocumentLimits.VALUES));
    if (syntaxNode instanceof SyntaxNode.Text text) count(text.value());
  }

  private void count(String text) {
    characters += text.length();
    if (characters > DocumentLimits.EXPANDED)
      throw new InvalidInputException(
          "",
          "is more than %d KB of text once defaults and variables are put in; use smaller values, or make it several messages"
              .formatted(DocumentLimits.EXPANDED / 1024));
  }

  /** What is put into one document. */
  private final class Substitution {
    private final SyntaxNode.Mapping document;
    private final Map<String, SyntaxNode> values;
    private final Set<String> inCommand;
    private final Set<String> inOutput;
    private final ProblemList problems;

    Substitution(
        MergedDocument merged, Set<String> inCommand, Set<String> inOutput, ProblemList problems) {
      this.document = merged.document();
      this.values = merged.variables();
      this.inCommand = inCommand;
      this.inOutput = inOutput;
      this.problems = problems;
    }

    SyntaxNode of(SyntaxNode syntaxNode, String path) {
      count(syntaxNode);
      return switch (syntaxNode) {
        case SyntaxNode.Mapping mapping -> {
          var fields = new LinkedHashMap<String, SyntaxNode>();
          mapping
              .fields()
              .forEach((k, v) -> fields.put(k, of(v, path.isEmpty() ? k : path + "." + k)));
          yield new SyntaxNode.Mapping(fields, mapping.line());
        }
        case SyntaxNode.Sequence sequence -> {
          var items = new ArrayList<SyntaxNode>();
          for (var item : sequence.items()) items.add(of(item, path + "[" + items.size() + "]"));
          yield new SyntaxNode.Sequence(items, sequence.line());
        }
        case SyntaxNode.Text text when text.value().indexOf('{') >= 0 -> ofText(text, path);
        default -> syntaxNode;
      };
    }

    private SyntaxNode ofText(SyntaxNode.Text text, String path) {
      var word = WORD.matcher(text.value());
      var whole = word.matches() && word.group(1) != null ? values.get(word.group(1)) : null;
      if (whole != null) {
        check(whole, path);
        return whole;
      }
      var filled = word.replaceAll(m -> Matcher.quoteReplacement(inText(m, path)));
      check(filled, path);
      return new SyntaxNode.Text(filled, text.line());
    }

    private String inText(MatchResult word, String path) {
      var value = word.group(1) == null ? null : values.get(word.group(1));
      var text =
          switch (value) {
            case null -> word.group();
            case SyntaxNode.Text(String written, _) -> written;
            case SyntaxNode.Literal(_, String written, _) -> written;
            case SyntaxNode other -> {
              problems.add(
                  new InputError(
                      path,
                      "{"
                          + word.group(1)
                          + "} is "
                          + other.what()
                          + " and cannot be inside a text"));
              yield "";
            }
          };
      count(text);
      return text;
    }

    /**
     * Only task placeholders may remain, because a published document is read again without the
     * variables.
     */
    private void check(SyntaxNode value, String path) {
      count(value);
      switch (value) {
        case SyntaxNode.Text text -> check(text.value(), path);
        case SyntaxNode.Mapping mapping ->
            mapping.fields().forEach((name, inner) -> check(inner, path + "." + name));
        case SyntaxNode.Sequence sequence -> sequence.items().forEach(item -> check(item, path));
        default -> {}
      }
    }

    private void check(String text, String path) {
      for (var word : TaskTemplate.placeholders(text))
        if (!mayHave(path, word)) problems.add(new InputError(path, unset(word, path)));
      var ofShell = TaskTemplate.shellVariables(text);
      if (ofShell.isEmpty() || ShellTexts.of(document).has(path)) return;
      for (var word : ofShell) {
        var known = values.containsKey(word) || mayHave(path, word);
        problems.add(new InputError(path, ShellTexts.refusal(word, known)));
      }
    }

    private boolean mayHave(String path, String word) {
      if (path.startsWith("command")) return inCommand.contains(word);
      return (path.equals("tasks.output") || path.equals("checkpoint")) && inOutput.contains(word);
    }

    private String unset(String word, String path) {
      if (!inOutput.contains(word))
        return "{%1$s} has no value; set it under variables, or write {{%1$s}} for the text {%1$s}"
            .formatted(word);
      if (!inCommand.contains(word))
        return "{"
            + word
            + "} is known in tasks.output only; set it under variables to use it here";
      return "{"
          + word
          + "} is known in a task's command and tasks.output only; "
          + (path.startsWith("env") && TaskTemplate.VARIABLES.containsKey(word)
              ? "each task's environment has it as " + TaskTemplate.VARIABLES.get(word)
              : "put it into the command");
    }
  }
}
