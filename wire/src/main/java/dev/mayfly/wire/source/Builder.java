package dev.mayfly.wire.source;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.wire.text.Line;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts nodes together from what a parser meets, within the caps; without recursion. */
final class Builder {
  /** An open object or list. */
  private static final class Open {
    final int line;
    final @Nullable String anchor;
    final @Nullable Map<String, Node> fields;
    final List<Node> items = new ArrayList<>();
    @Nullable String key;
    int size = 1;
    int depth = 1;

    Open(boolean table, int line, @Nullable String anchor) {
      this.fields = table ? new LinkedHashMap<>() : null;
      this.line = line;
      this.anchor = anchor;
    }
  }

  private record Part(Node node, int size, int depth) {}

  private final String label;
  private final Deque<Open> open = new ArrayDeque<>();
  private final Map<String, Part> anchors = new HashMap<>();
  private final List<Node> documents = new ArrayList<>();
  private int values;
  private int aliases;

  Builder(String label) {
    this.label = label;
  }

  void start(boolean table, int line, @Nullable String anchor) {
    if (open.size() >= Caps.NESTING) throw tooDeep(line);
    open.push(new Open(table, line, anchor));
  }

  void end() {
    var done = open.pop();
    var node =
        done.fields == null
            ? new Node.Row(done.items, done.line)
            : new Node.Table(done.fields, done.line);
    count(1, done.line);
    put(new Part(node, done.size, done.depth), done.anchor);
  }

  /** A key, or a value that holds no others. */
  void scalar(Node node, String written, @Nullable String anchor) {
    var top = open.peek();
    if (top != null && top.fields != null && top.key == null) key(top, written, node.line());
    else {
      count(1, node.line());
      put(new Part(node, 1, 0), anchor);
    }
  }

  private void key(Open top, String key, int line) {
    if (top.fields != null && top.fields.containsKey(key))
      throw at(line, "'" + key + "' is there twice in one object; remove one");
    if (key.length() > Caps.NAME)
      throw at(
          line,
          "a field's name of " + key.length() + " characters; at most " + Caps.NAME + " are read");
    if (top.fields != null && top.fields.size() >= Caps.FIELDS)
      throw at(line, "more than " + Caps.FIELDS + " fields in one object");
    if (key.equals("<<"))
      throw at(line, "'<<' merges are not read; use defaults, or write the fields");
    top.key = key;
  }

  /** Whether the next scalar is a key. */
  boolean wantsKey() {
    var top = open.peek();
    return top != null && top.fields != null && top.key == null;
  }

  void alias(String name, int line) {
    if (++aliases > Caps.ALIASES)
      throw at(line, "more than " + Caps.ALIASES + " aliases (*name); write the values out");
    var part =
        Optional.ofNullable(anchors.get(name))
            .orElseThrow(() -> at(line, "*" + name + " stands for nothing that ends before it"));
    count(part.size(), line);
    put(part, null);
  }

  private void count(int more, int line) {
    values += more;
    if (values > Caps.VALUES)
      throw at(line, "more than " + Caps.VALUES + " values; make them files, or tasks.count");
  }

  private void put(Part part, @Nullable String anchor) {
    if (open.size() + part.depth() > Caps.NESTING) throw tooDeep(part.node().line());
    if (anchor != null) anchors.put(anchor, part);
    var top = open.peek();
    if (top == null) document(part.node());
    else into(top, part);
  }

  private static void into(Open top, Part part) {
    top.size += part.size();
    top.depth = Math.max(top.depth, part.depth() + 1);
    if (top.fields == null) top.items.add(part.node());
    else if (top.key != null) {
      top.fields.put(top.key, part.node());
      top.key = null;
    }
  }

  private void document(Node node) {
    anchors.clear();
    if (node instanceof Node.Nothing) return;
    if (documents.size() >= Caps.DOCUMENTS)
      throw at(node.line(), "more than " + Caps.DOCUMENTS + " documents; use several files");
    documents.add(node);
  }

  List<Node> documents() {
    return List.copyOf(documents);
  }

  private Invalid tooDeep(int line) {
    return at(line, "more than " + Caps.NESTING + " levels inside each other");
  }

  Invalid at(int line, String message) {
    return new Invalid(
        label.isEmpty() ? "line " + line : label + ":" + line, Line.of(message, 600));
  }
}
