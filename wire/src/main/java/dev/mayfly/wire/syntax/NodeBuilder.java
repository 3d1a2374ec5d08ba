package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.SingleLineText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds nodes from a parser's events within the limits, without recursion. */
final class NodeBuilder {
  /** An open object or list. */
  private static final class Open {
    final boolean table;
    final int line;
    final @Nullable String anchor;
    final Map<String, SyntaxNode> fields = new LinkedHashMap<>();
    final List<SyntaxNode> items = new ArrayList<>();
    @Nullable String key;
    int size = 1;
    int depth = 1;

    Open(boolean table, int line, @Nullable String anchor) {
      this.table = table;
      this.line = line;
      this.anchor = anchor;
    }
  }

  private record Part(SyntaxNode node, int size, int depth) {}

  private final String label;
  private final Deque<Open> open = new ArrayDeque<>();
  private final Map<String, Part> anchors = new HashMap<>();
  private final List<SyntaxNode> documents = new ArrayList<>();
  private int values;
  private int aliases;

  NodeBuilder(String label) {
    this.label = label;
  }

  void start(boolean table, int line, @Nullable String anchor) {
    if (open.size() >= DocumentLimits.NESTING) throw tooDeep(line);
    open.push(new Open(table, line, anchor));
  }

  void end() {
    var done = open.pop();
    var node =
        done.table
            ? new SyntaxNode.Mapping(done.fields, done.line)
            : new SyntaxNode.Sequence(done.items, done.line);
    count(1, done.line);
    put(new Part(node, done.size, done.depth), done.anchor);
  }

  /** A key or a scalar value. */
  void scalar(SyntaxNode syntaxNode, String written, @Nullable String anchor) {
    var top = open.peek();
    if (top != null && top.table && top.key == null) key(top, written, syntaxNode.line());
    else {
      count(1, syntaxNode.line());
      put(new Part(syntaxNode, 1, 0), anchor);
    }
  }

  private void key(Open top, String key, int line) {
    if (top.fields.containsKey(key))
      throw invalidAt(line, "'" + key + "' is there twice in one object; remove one");
    if (key.length() > DocumentLimits.NAME)
      throw invalidAt(
          line,
          "a field's name of "
              + key.length()
              + " characters; at most "
              + DocumentLimits.NAME
              + " are read");
    if (top.fields.size() >= DocumentLimits.FIELDS)
      throw invalidAt(line, "more than " + DocumentLimits.FIELDS + " fields in one object");
    if (key.equals("<<"))
      throw invalidAt(line, "'<<' merges are not read; use defaults, or write the fields");
    top.key = key;
  }

  /** Whether the next scalar is a key. */
  boolean wantsKey() {
    var top = open.peek();
    return top != null && top.table && top.key == null;
  }

  void alias(String name, int line) {
    if (++aliases > DocumentLimits.ALIASES)
      throw invalidAt(
          line, "more than " + DocumentLimits.ALIASES + " aliases (*name); write the values out");
    var part =
        Optional.ofNullable(anchors.get(name))
            .orElseThrow(
                () -> invalidAt(line, "*" + name + " stands for nothing that ends before it"));
    count(part.size(), line);
    put(part, null);
  }

  private void count(int more, int line) {
    values += more;
    if (values > DocumentLimits.VALUES)
      throw invalidAt(
          line, "more than " + DocumentLimits.VALUES + " values; make them files, or tasks.count");
  }

  private void put(Part part, @Nullable String anchor) {
    if (open.size() + part.depth() > DocumentLimits.NESTING) throw tooDeep(part.node().line());
    if (anchor != null) anchors.put(anchor, part);
    var top = open.peek();
    if (top == null) document(part.node());
    else into(top, part);
  }

  private static void into(Open top, Part part) {
    top.size += part.size();
    top.depth = Math.max(top.depth, part.depth() + 1);
    if (!top.table) top.items.add(part.node());
    else if (top.key != null) {
      top.fields.put(top.key, part.node());
      top.key = null;
    }
  }

  private void document(SyntaxNode syntaxNode) {
    anchors.clear();
    if (syntaxNode instanceof SyntaxNode.Null) return;
    if (documents.size() >= DocumentLimits.DOCUMENTS)
      throw invalidAt(
          syntaxNode.line(),
          "more than " + DocumentLimits.DOCUMENTS + " documents; use several files");
    documents.add(syntaxNode);
  }

  List<SyntaxNode> documents() {
    return List.copyOf(documents);
  }

  private InvalidInputException tooDeep(int line) {
    return invalidAt(line, "more than " + DocumentLimits.NESTING + " levels inside each other");
  }

  InvalidInputException invalidAt(int line, String message) {
    return new InvalidInputException(
        label.isEmpty() ? "line " + line : label + ":" + line, SingleLineText.of(message, 600));
  }
}
