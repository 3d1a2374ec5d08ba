package dev.mayfly.wire.source;

import dev.mayfly.core.error.Problem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges {@code defaults} and {@code variables} into the documents that follow them.
 *
 * <p>A document without a {@code kind} that has {@code defaults} or {@code variables} is a header:
 * both hold for all documents after it. In {@code defaults}, what is under a kind's name ({@code
 * Job: {…}}) is for that kind alone. A document may have {@code variables} of its own too. Objects
 * merge field by field; any other value of a document takes the place of the default. The caller's
 * variables win over those of the file.
 */
public final class Headers {
  private static final Set<String> OWN = Set.of("apiVersion", "defaults", "variables");

  /** A document with its variables, before they are put in. */
  public record Draft(Node.Table document, Map<String, Node> variables) {}

  private final Map<String, Node> given = new LinkedHashMap<>();
  private final Map<String, Node> variables = new LinkedHashMap<>();
  private final Set<String> kinds;
  private ProblemList problems = new ProblemList();
  private Node.Table defaults = new Node.Table(Map.of(), 1);

  public Headers(Map<String, String> given, Set<String> kinds) {
    given.forEach((name, value) -> this.given.put(name, Scalars.plain(value, 1)));
    this.kinds = kinds;
  }

  /** The document with its defaults; empty for a header. */
  public Optional<Draft> take(Node node) {
    if (!(node instanceof Node.Table table)) {
      problems.add(new Problem("", "a document is an object with a kind, not " + node.what()));
      return Optional.empty();
    }
    if (isHeader(table)) {
      header(table);
      return Optional.empty();
    }
    var own = new LinkedHashMap<>(variables);
    own.putAll(table(table, "variables"));
    own.putAll(given);
    return Optional.of(new Draft(merged(table.without("variables")), own));
  }

  /** What was wrong since the last call. */
  public ProblemList problems() {
    var found = problems;
    problems = new ProblemList();
    return found;
  }

  private static boolean isHeader(Node.Table table) {
    return table.get("kind").isEmpty()
        && (table.get("defaults").isPresent() || table.get("variables").isPresent());
  }

  private void header(Node.Table table) {
    for (var field : table.fields().keySet())
      if (!OWN.contains(field))
        problems.add(
            new Problem(
                field,
                "has no place in a document without a kind; put it under defaults, or add a kind"));
    variables.putAll(table(table, "variables"));
    defaults = merge(defaults, new Node.Table(table(table, "defaults"), table.line()));
  }

  private Map<String, Node> table(Node.Table of, String field) {
    return switch (of.get(field).orElse(new Node.Table(Map.of(), 1))) {
      case Node.Table fields -> fields.fields();
      case Node other -> {
        problems.add(
            new Problem(field, "is " + other.what() + "; write an object like {name: value}"));
        yield Map.of();
      }
    };
  }

  private Node.Table merged(Node.Table document) {
    var common = defaults;
    for (var kind : kinds) common = common.without(kind);
    var ofKind = document.text("kind").flatMap(defaults::get);
    if (ofKind.orElse(null) instanceof Node.Table own) common = merge(common, own);
    return merge(common, document);
  }

  private static Node.Table merge(Node.Table under, Node.Table over) {
    var fields = new LinkedHashMap<>(under.fields());
    over.fields()
        .forEach((name, value) ->
            fields.merge(
                name,
                value,
                (a, b) ->
                    a instanceof Node.Table x && b instanceof Node.Table y ? merge(x, y) : b));
    return new Node.Table(fields, over.line());
  }
}
