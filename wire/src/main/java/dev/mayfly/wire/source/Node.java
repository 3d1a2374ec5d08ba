package dev.mayfly.wire.source;

import dev.mayfly.wire.text.Line;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value with the line it was written on, from 1. Immutable; fields keep their order. */
public sealed interface Node {
  int line();

  record Table(Map<String, Node> fields, int line) implements Node {
    public Table {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public Optional<Node> get(String field) {
      return Optional.ofNullable(fields.get(field));
    }

    /** The text at {@code field}, if there is one and it is a text. */
    public Optional<String> text(String field) {
      return get(field).filter(Text.class::isInstance).map(n -> ((Text) n).value());
    }

    public Table with(String field, Node value) {
      var more = new LinkedHashMap<>(fields);
      more.put(field, value);
      return new Table(more, line);
    }

    public Table without(String field) {
      var less = new LinkedHashMap<>(fields);
      less.remove(field);
      return new Table(less, line);
    }
  }

  record Row(List<Node> items, int line) implements Node {
    public Row {
      items = List.copyOf(new ArrayList<>(items));
    }
  }

  record Text(String value, int line) implements Node {}

  /**
   * A number, true or false.
   *
   * @param written as the user wrote it, so that {@code 1.10} as an argument stays {@code 1.10}
   */
  record Plain(Object value, String written, int line) implements Node {}

  record Nothing(int line) implements Node {}

  /** What the value is called in messages. */
  default String what() {
    return switch (this) {
      case Table t -> "an object";
      case Row r -> "a list";
      case Text t -> "a text";
      case Plain p -> p.value() instanceof Boolean ? p.written() : "a number";
      case Nothing n -> "empty";
    };
  }

  /** The value on one line, for messages; 60 characters at most. */
  default String shown() {
    var text =
        switch (this) {
          case Text t -> "'" + t.value() + "'";
          case Plain p -> p.written();
          default -> what();
        };
    return Line.of(text, 60);
  }
}
