package dev.mayfly.wire.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Documents as maps, lists and texts, for those who make them of values. */
public final class PlainValues {
  private PlainValues() {}

  /**
   * A node of plain values: maps, lists, texts, whole numbers, truth values, and nodes as they are.
   * Throws {@link IllegalArgumentException} for anything else: a fraction is given as its text,
   * because a double is not what its author wrote.
   */
  public static SyntaxNode node(Object plain) {
    return switch (plain) {
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, SyntaxNode>();
        map.forEach((name, value) -> fields.put((String) name, node(value)));
        yield new SyntaxNode.Mapping(fields, 1);
      }
      case List<?> list -> {
        var items = new ArrayList<SyntaxNode>();
        list.forEach(item -> items.add(node(item)));
        yield new SyntaxNode.Sequence(items, 1);
      }
      case SyntaxNode node -> node;
      case String text -> new SyntaxNode.Text(text, 1);
      case Boolean _, Integer _, Long _ -> SyntaxNode.plain(plain.toString(), 1);
      default ->
          throw new IllegalArgumentException(
              plain + " is a " + plain.getClass().getSimpleName() + "; give its text");
    };
  }

  /** The values as {@link #node} takes them: a number is its text, as written. */
  public static Object plain(SyntaxNode node) {
    return switch (node) {
      case SyntaxNode.Mapping(var fields, _) -> {
        var map = new LinkedHashMap<String, Object>();
        fields.forEach((name, value) -> map.put(name, plain(value)));
        yield map;
      }
      case SyntaxNode.Sequence(var items, _) -> items.stream().map(PlainValues::plain).toList();
      case SyntaxNode.Text(var value, _) -> value;
      case SyntaxNode.Literal(Boolean flag, _, _) -> flag;
      case SyntaxNode.Literal(_, var written, _) -> written;
      case SyntaxNode.Null empty -> empty;
    };
  }
}
