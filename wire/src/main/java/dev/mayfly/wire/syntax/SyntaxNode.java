package dev.mayfly.wire.syntax;

import dev.mayfly.wire.text.SingleLineText;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A value with the line it was written on, from 1. Immutable; fields keep their order. */
public sealed interface SyntaxNode {
  int line();

  /** The node at a path like {@code tasks.items[3].seed}, or the nearest one above it. */
  default SyntaxNode at(String path) {
    return this;
  }

  record Mapping(Map<String, SyntaxNode> fields, int line) implements SyntaxNode {
    public Mapping {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public Optional<SyntaxNode> get(String field) {
      return Optional.ofNullable(fields.get(field));
    }

    /** The text at {@code field}, if it is present and a text. */
    public Optional<String> text(String field) {
      return get(field).filter(Text.class::isInstance).map(n -> ((Text) n).value());
    }

    public Mapping with(String field, SyntaxNode value) {
      var more = new LinkedHashMap<>(fields);
      more.put(field, value);
      return new Mapping(more, line);
    }

    public Mapping without(String field) {
      var less = new LinkedHashMap<>(fields);
      less.remove(field);
      return new Mapping(less, line);
    }

    /** Field names may contain dots, like host names: the longest matching name wins. */
    @Override
    public SyntaxNode at(String path) {
      var names = path.startsWith(".") ? path.substring(1) : path;
      return fields.keySet().stream()
          .filter(name -> begins(names, name))
          .max(Comparator.comparingInt(String::length))
          .flatMap(name -> get(name).map(node -> node.at(names.substring(name.length()))))
          .orElse(this);
    }

    private static boolean begins(String path, String name) {
      if (name.isEmpty() || !path.startsWith(name)) return false;
      return path.length() == name.length() || ".[".indexOf(path.charAt(name.length())) >= 0;
    }
  }

  record Sequence(List<SyntaxNode> items, int line) implements SyntaxNode {
    private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,9})\\]");

    public Sequence {
      items = List.copyOf(new ArrayList<>(items));
    }

    @Override
    public SyntaxNode at(String path) {
      var index = INDEX.matcher(path);
      if (!index.lookingAt()) return this;
      var i = Integer.parseInt(index.group(1));
      return i < items.size() ? items.get(i).at(path.substring(index.end())) : this;
    }
  }

  record Text(String value, int line) implements SyntaxNode {}

  /**
   * A number, true or false.
   *
   * @param written as the user wrote it, so that {@code 1.10} as an argument stays {@code 1.10}
   */
  record Literal(Object value, String written, int line) implements SyntaxNode {
    private static final JsonFactory JSON = new JsonFactory();

    /** Only numbers that are written back unchanged: no exponents, no negative zero. */
    private static final Pattern NUMBER =
        Pattern.compile("(?!-0(\\.0+)?$)-?(0|[1-9]\\d{0,17})(\\.\\d{1,18})?");
  }

  record Null(int line) implements SyntaxNode {}

  /**
   * A plain scalar: JSON's literals, and {@code ~} for null. All else is text, so that {@code no},
   * {@code 007}, {@code 0x1F}, {@code 1e9} and {@code 1:30} reach a command as written.
   */
  static SyntaxNode plain(String text, int line) {
    return switch (text) {
      case "null", "~", "" -> new Null(line);
      case "true", "false" -> new Literal(text.equals("true"), text, line);
      default ->
          Literal.NUMBER.matcher(text).matches()
              ? new Literal(new BigDecimal(text), text, line)
              : new Text(text, line);
    };
  }

  /** The node as JSON on one line, with each number digit by digit as it was written. */
  default String json() {
    var text = new StringWriter();
    try (var out = Literal.JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(this, out);
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

  /** For a schema, which compares numbers; {@link #json} is what is published. */
  default JsonNode toJson() {
    var json = JsonNodeFactory.instance;
    return switch (this) {
      case Mapping mapping -> {
        var object = json.objectNode();
        mapping.fields().forEach((name, value) -> object.set(name, value.toJson()));
        yield object;
      }
      case Sequence sequence -> {
        var array = json.arrayNode();
        sequence.items().forEach(item -> array.add(item.toJson()));
        yield array;
      }
      case Text text -> json.stringNode(text.value());
      case Literal(BigDecimal number, _, _) when number.scale() == 0 ->
          json.numberNode(number.longValueExact());
      case Literal(BigDecimal number, _, _) -> json.numberNode(number);
      case Literal literal -> json.booleanNode(Boolean.TRUE.equals(literal.value()));
      case Null _ -> json.nullNode();
    };
  }

  /** The type's name in messages. */
  default String what() {
    return switch (this) {
      case Mapping _ -> "an object";
      case Sequence _ -> "a list";
      case Text _ -> "a text";
      case Literal p -> p.value() instanceof Boolean ? p.written() : "a number";
      case Null _ -> "empty";
    };
  }

  /** The value on one line, for messages; 60 characters at most. */
  default String shown() {
    var text =
        switch (this) {
          case Text t -> "'" + t.value() + "'";
          case Literal p -> p.written();
          default -> what();
        };
    return SingleLineText.of(text, 60);
  }
}
