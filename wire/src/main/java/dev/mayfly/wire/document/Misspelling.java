package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A field that is not known, where the one that was meant is.
 *
 * @param object the names and numbers that lead to its object
 * @param meant the field of that object, or of an object in it: {@code [tasks, inputs]}
 * @param inputError what its author is told
 */
record Misspelling(List<Object> object, String written, List<String> meant, InputError inputError) {
  Misspelling {
    object = List.copyOf(object);
    meant = List.copyOf(meant);
  }

  /**
   * The document with the field where it was meant to be; unchanged if that is there already.
   *
   * @param kept whether it also stays where it was written, for its line
   */
  SyntaxNode.Mapping corrected(SyntaxNode.Mapping document, boolean kept) {
    return (SyntaxNode.Mapping) corrected(document, 0, kept);
  }

  private SyntaxNode corrected(SyntaxNode node, int step, boolean kept) {
    if (step == object.size())
      return node instanceof SyntaxNode.Mapping mapping ? renamed(mapping, kept) : node;
    return switch (node) {
      case SyntaxNode.Mapping mapping when object.get(step) instanceof String name ->
          mapping
              .get(name)
              .map(inner -> mapping.with(name, corrected(inner, step + 1, kept)))
              .orElse(mapping);
      case SyntaxNode.Sequence(var items, int line)
          when object.get(step) instanceof Integer at && at < items.size() -> {
        var changed = new ArrayList<>(items);
        changed.set(at, corrected(items.get(at), step + 1, kept));
        yield new SyntaxNode.Sequence(changed, line);
      }
      default -> node;
    };
  }

  private SyntaxNode.Mapping renamed(SyntaxNode.Mapping mapping, boolean kept) {
    var value = mapping.get(written);
    if (value.isEmpty()) return mapping;
    var first = meant.getFirst();
    var inside = mapping.get(first).orElse(new SyntaxNode.Mapping(Map.of(), mapping.line()));
    if (meant.size() > 1
        && inside instanceof SyntaxNode.Mapping inner
        && inner.get(meant.getLast()).isEmpty())
      return (kept ? mapping : mapping.without(written))
          .with(first, inner.with(meant.getLast(), value.get()));
    if (meant.size() > 1 || mapping.get(first).isPresent()) return mapping;
    var fields = new LinkedHashMap<String, SyntaxNode>();
    mapping
        .fields()
        .forEach((name, field) -> {
          if (!name.equals(written) || kept) fields.put(name, field);
          if (name.equals(written)) fields.put(first, field);
        });
    return new SyntaxNode.Mapping(fields, mapping.line());
  }
}
