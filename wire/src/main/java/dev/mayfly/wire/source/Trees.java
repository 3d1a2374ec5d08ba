package dev.mayfly.wire.source;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Nodes as JSON, and the node at a path like {@code tasks.items[3].seed}. */
public final class Trees {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)\\]");

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

  /** The node at the path, or the nearest one above it. */
  public static Node at(Node root, String path) {
    var here = root;
    var steps = STEP.matcher(path);
    while (steps.find()) {
      var next = step(here, steps);
      if (next.isEmpty()) return here;
      here = next.get();
    }
    return here;
  }

  private static Optional<Node> step(Node here, Matcher step) {
    return switch (here) {
      case Node.Table table when step.group(1) != null -> table.get(step.group(1));
      case Node.Row row when step.group(2) != null ->
          item(row.items(), Integer.parseInt(step.group(2)));
      default -> Optional.empty();
    };
  }

  private static Optional<Node> item(List<Node> items, int i) {
    return i < items.size() ? Optional.of(items.get(i)) : Optional.empty();
  }
}
