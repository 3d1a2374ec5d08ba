package dev.mayfly.wire.syntax;

import dev.mayfly.wire.text.SingleLineText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value with the line it was written on, from 1. Immutable; fields keep their order. */
public sealed interface SyntaxNode {
  int line();

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
  }

  record Sequence(List<SyntaxNode> items, int line) implements SyntaxNode {
    public Sequence {
      items = List.copyOf(new ArrayList<>(items));
    }
  }

  record Text(String value, int line) implements SyntaxNode {}

  /**
   * A number, true or false.
   *
   * @param written as the user wrote it, so that {@code 1.10} as an argument stays {@code 1.10}
   */
  record Literal(Object value, String written, int line) implements SyntaxNode {}

  record Null(int line) implements SyntaxNode {}

  /** The type's name in messages. */
  default String what() {
    return switch (this) {
      case Mapping t -> "an object";
      case Sequence r -> "a list";
      case Text t -> "a text";
      case Literal p -> p.value() instanceof Boolean ? p.written() : "a number";
      case Null n -> "empty";
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
