package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InputError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges {@code defaults} and {@code variables} into the documents that follow them.
 *
 * <p>A document without a {@code kind} that has {@code defaults} or {@code variables} is a header:
 * both apply to all documents after it. In {@code defaults}, an entry under a kind's name ({@code
 * Job: {…}}) applies to that kind only. A document may also have its own {@code variables}. Objects
 * merge field by field; any other value of a document replaces the default. The caller's variables
 * override those of the file.
 */
public final class DefaultsMerger {
  private static final Set<String> OWN = Set.of("apiVersion", "defaults", "variables");

  /** A document with its variables before substitution. */
  public record MergedDocument(SyntaxNode.Mapping document, Map<String, SyntaxNode> variables) {}

  private final Map<String, SyntaxNode> given = new LinkedHashMap<>();
  private final Map<String, SyntaxNode> variables = new LinkedHashMap<>();
  private final Set<String> kinds;
  private ProblemList problems = new ProblemList();
  private SyntaxNode.Mapping defaults = new SyntaxNode.Mapping(Map.of(), 1);

  public DefaultsMerger(Map<String, String> given, Set<String> kinds) {
    given.forEach((name, value) -> this.given.put(name, ScalarResolver.resolve(value, 1)));
    this.kinds = kinds;
  }

  /** The document with its defaults; empty for a header. */
  public Optional<MergedDocument> take(SyntaxNode syntaxNode) {
    if (!(syntaxNode instanceof SyntaxNode.Mapping mapping)) {
      problems.add(
          new InputError("", "a document is an object with a kind, not " + syntaxNode.what()));
      return Optional.empty();
    }
    if (isHeader(mapping)) {
      header(mapping);
      return Optional.empty();
    }
    var own = new LinkedHashMap<>(variables);
    own.putAll(table(mapping, "variables"));
    own.putAll(given);
    return Optional.of(new MergedDocument(merged(mapping.without("variables")), own));
  }

  /** The problems since the last call. */
  public ProblemList problems() {
    var found = problems;
    problems = new ProblemList();
    return found;
  }

  private static boolean isHeader(SyntaxNode.Mapping mapping) {
    return mapping.get("kind").isEmpty()
        && (mapping.get("defaults").isPresent() || mapping.get("variables").isPresent());
  }

  private void header(SyntaxNode.Mapping mapping) {
    for (var field : mapping.fields().keySet())
      if (!OWN.contains(field))
        problems.add(
            new InputError(
                field,
                "has no place in a document without a kind; put it under defaults, or add a kind"));
    variables.putAll(table(mapping, "variables"));
    defaults = merge(defaults, new SyntaxNode.Mapping(table(mapping, "defaults"), mapping.line()));
  }

  private Map<String, SyntaxNode> table(SyntaxNode.Mapping of, String field) {
    return switch (of.get(field).orElse(new SyntaxNode.Mapping(Map.of(), 1))) {
      case SyntaxNode.Mapping fields -> fields.fields();
      case SyntaxNode other -> {
        problems.add(
            new InputError(field, "is " + other.what() + "; write an object like {name: value}"));
        yield Map.of();
      }
    };
  }

  private SyntaxNode.Mapping merged(SyntaxNode.Mapping document) {
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
}
