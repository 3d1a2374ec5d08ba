package dev.mayfly.wire.source;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Nodes as JSON, and the node at a path like {@code tasks.items[3].seed}. */
public final class Trees {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,9})\\]");

  private Trees() {}

  public static JsonNode json(Node node) {
    return switch (node) {
      case Node.Table table -> {
        var object = JSON.objectNode();
        table.fields().forEach((name, value) -> object.set(name, json(value)));
        yield object;
      }
      case Node.Row row -> {
        var array = JSON.arrayNode();
        row.items().forEach(item -> array.add(json(item)));
        yield array;
      }
      case Node.Text text -> JSON.stringNode(text.value());
      case Node.Plain plain when plain.value() instanceof BigDecimal number -> number(number);
      case Node.Plain plain -> JSON.booleanNode(Boolean.TRUE.equals(plain.value()));
      case Node.Nothing nothing -> JSON.nullNode();
    };
  }

  private static JsonNode number(BigDecimal value) {
    return value.scale() == 0 ? JSON.numberNode(value.longValueExact()) : JSON.numberNode(value);
  }

  /**
   * The node at the path, or the nearest one above it. A field may have dots in its name, as a host
   * has: the longest name that fits is meant.
   */
  public static Node at(Node root, String path) {
    var here = root;
    var rest = path;
    while (true) {
      var step = step(here, rest);
      if (step.isEmpty()) return here;
      here = step.get().to();
      rest = step.get().rest();
    }
  }

  private record Step(Node to, String rest) {}

  private static Optional<Step> step(Node here, String path) {
    return switch (here) {
      case Node.Table table -> field(table, path.startsWith(".") ? path.substring(1) : path);
      case Node.Row row -> item(row.items(), INDEX.matcher(path));
      default -> Optional.empty();
    };
  }

  private static Optional<Step> field(Node.Table table, String path) {
    return table.fields().keySet().stream()
        .filter(name -> path.startsWith(name) && ends(path, name.length()))
        .max(Comparator.comparingInt(String::length))
        .flatMap(name -> table.get(name).map(to -> new Step(to, path.substring(name.length()))));
  }

  private static boolean ends(String path, int at) {
    return at > 0 && (at == path.length() || path.charAt(at) == '.' || path.charAt(at) == '[');
  }

  private static Optional<Step> item(List<Node> items, Matcher index) {
    if (!index.lookingAt()) return Optional.empty();
    var i = Integer.parseInt(index.group(1));
    var rest = index.replaceFirst("");
    return i < items.size() ? Optional.of(new Step(items.get(i), rest)) : Optional.empty();
  }
}
