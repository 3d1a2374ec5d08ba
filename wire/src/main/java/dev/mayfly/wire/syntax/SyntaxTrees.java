package dev.mayfly.wire.syntax;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts nodes to JSON and finds the node at a path like {@code tasks.items[3].seed}. */
public final class SyntaxTrees {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,9})\\]");

  private SyntaxTrees() {}

  public static JsonNode toJson(SyntaxNode syntaxNode) {
    return switch (syntaxNode) {
      case SyntaxNode.Mapping mapping -> {
        var object = JSON.objectNode();
        mapping.fields().forEach((name, value) -> object.set(name, toJson(value)));
        yield object;
      }
      case SyntaxNode.Sequence sequence -> {
        var array = JSON.arrayNode();
        sequence.items().forEach(item -> array.add(toJson(item)));
        yield array;
      }
      case SyntaxNode.Text text -> JSON.stringNode(text.value());
      case SyntaxNode.Literal literal when literal.value() instanceof BigDecimal number ->
          number(number);
      case SyntaxNode.Literal literal -> JSON.booleanNode(Boolean.TRUE.equals(literal.value()));
      case SyntaxNode.Null nothing -> JSON.nullNode();
    };
  }

  private static JsonNode number(BigDecimal value) {
    return value.scale() == 0 ? JSON.numberNode(value.longValueExact()) : JSON.numberNode(value);
  }

  /**
   * The node at the path, or the nearest one above it. Field names may contain dots, like host
   * names: the longest matching name wins.
   */
  public static SyntaxNode nodeAt(SyntaxNode root, String path) {
    var here = root;
    var rest = path;
    while (true) {
      var step = step(here, rest);
      if (step.isEmpty()) return here;
      here = step.get().to();
      rest = step.get().rest();
    }
  }

  private record Step(SyntaxNode to, String rest) {}

  private static Optional<Step> step(SyntaxNode here, String path) {
    return switch (here) {
      case SyntaxNode.Mapping mapping ->
          field(mapping, path.startsWith(".") ? path.substring(1) : path);
      case SyntaxNode.Sequence sequence -> item(sequence.items(), INDEX.matcher(path));
      default -> Optional.empty();
    };
  }

  private static Optional<Step> field(SyntaxNode.Mapping mapping, String path) {
    return mapping.fields().keySet().stream()
        .filter(name -> path.startsWith(name) && ends(path, name.length()))
        .max(Comparator.comparingInt(String::length))
        .flatMap(name -> mapping.get(name).map(to -> new Step(to, path.substring(name.length()))));
  }

  private static boolean ends(String path, int at) {
    return at > 0 && (at == path.length() || path.charAt(at) == '.' || path.charAt(at) == '[');
  }

  private static Optional<Step> item(List<SyntaxNode> items, Matcher index) {
    if (!index.lookingAt()) return Optional.empty();
    var i = Integer.parseInt(index.group(1));
    var rest = index.replaceFirst("");
    return i < items.size() ? Optional.of(new Step(items.get(i), rest)) : Optional.empty();
  }
}
