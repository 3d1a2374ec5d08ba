package dev.mayfly.wire.syntax;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes documents as JSON. A number is written as it was, digit by digit: {@link DocumentParser}
 * reads back what was written.
 */
public final class DocumentWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private DocumentWriter() {}

  /** The node on one line. */
  public static String json(SyntaxNode node) {
    var text = new StringWriter();
    try (var out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(node, out);
    }
    return text.toString();
  }

  private static void write(SyntaxNode node, JsonGenerator out) {
    switch (node) {
      case SyntaxNode.Mapping(var fields, _) -> {
        out.writeStartObject();
        fields.forEach((name, value) -> {
          out.writeName(name);
          write(value, out);
        });
        out.writeEndObject();
      }
      case SyntaxNode.Sequence(var items, _) -> {
        out.writeStartArray();
        items.forEach(item -> write(item, out));
        out.writeEndArray();
      }
      case SyntaxNode.Text(var value, _) -> out.writeString(value);
      case SyntaxNode.Literal(BigDecimal _, var written, _) -> out.writeNumber(written);
      case SyntaxNode.Literal(var value, _, _) -> out.writeBoolean(Boolean.TRUE.equals(value));
      case SyntaxNode.Null _ -> out.writeNull();
    }
  }

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

  /** The node as {@link #node} takes it: a number is its text, as written. */
  public static Object plain(SyntaxNode node) {
    return switch (node) {
      case SyntaxNode.Mapping(var fields, _) -> {
        var map = new LinkedHashMap<String, Object>();
        fields.forEach((name, value) -> map.put(name, plain(value)));
        yield map;
      }
      case SyntaxNode.Sequence(var items, _) -> items.stream().map(DocumentWriter::plain).toList();
      case SyntaxNode.Text(var value, _) -> value;
      case SyntaxNode.Literal(Boolean flag, _, _) -> flag;
      case SyntaxNode.Literal(_, var written, _) -> written;
      case SyntaxNode.Null empty -> empty;
    };
  }
}
