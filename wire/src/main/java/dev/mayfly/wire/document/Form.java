package dev.mayfly.wire.document;

import dev.mayfly.core.error.Problem;
import dev.mayfly.wire.source.Node;
import dev.mayfly.wire.source.ProblemList;
import dev.mayfly.wire.source.Variables;
import dev.mayfly.wire.text.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One object of a document, read field by field. A field of another type than asked for is as good
 * as absent: the schema has complained about it already.
 */
record Form(Node.Table table, String path, ProblemList problems) {
  Form inner(String field) {
    var inner =
        table.get(field).orElse(null) instanceof Node.Table t
            ? t
            : new Node.Table(Map.of(), table.line());
    return new Form(inner, at(field), problems);
  }

  String at(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  void complain(String field, String message) {
    problems.add(new Problem(at(field), message));
  }

  /** The text as it is meant: {@code {{name}}} is {name}. */
  Optional<String> text(String field) {
    return table.text(field).map(Variables::unescaped);
  }

  String name(String field) {
    return text(field).orElse("");
  }

  /** The text with its {placeholders}. */
  Optional<String> template(String field) {
    return table.text(field);
  }

  /** What {@code read} makes of a text or a number; what it throws is a problem. */
  <T> Optional<T> read(String field, Function<String, T> read) {
    return scalar(field).flatMap(text -> tried(field, text, read));
  }

  private <T> Optional<T> tried(String field, String text, Function<String, T> read) {
    try {
      return Optional.of(read.apply(text));
    } catch (IllegalArgumentException e) {
      complain(field, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<String> scalar(String field) {
    return table.get(field).flatMap(Form::scalar);
  }

  static Optional<String> scalar(Node node) {
    return switch (node) {
      case Node.Text text -> Optional.of(Variables.unescaped(text.value()));
      case Node.Plain plain -> Optional.of(plain.written());
      default -> Optional.empty();
    };
  }

  long whole(String field, long otherwise) {
    if (!(table.get(field).orElse(null) instanceof Node.Plain p)) return otherwise;
    if (!(p.value() instanceof BigDecimal n)) return otherwise;
    var fits = n.stripTrailingZeros().scale() <= 0 && n.precision() - n.scale() <= 18;
    return fits ? n.longValueExact() : otherwise;
  }

  double number(String field, double otherwise) {
    return table.get(field).orElse(null) instanceof Node.Plain p
            && p.value() instanceof BigDecimal n
        ? n.doubleValue()
        : otherwise;
  }

  boolean flag(String field) {
    return table.get(field).orElse(null) instanceof Node.Plain p && Boolean.TRUE.equals(p.value());
  }

  Duration duration(String field, Duration otherwise, Duration least, Duration most) {
    var read = read(field, Durations::read).orElse(otherwise);
    if (read.compareTo(least) < 0)
      complain(
          field,
          Durations.write(read) + " is too short; write " + Durations.write(least) + " or more");
    if (read.compareTo(most) > 0)
      complain(
          field,
          Durations.write(read) + " is too long; write " + Durations.write(most) + " or less");
    return read;
  }

  List<Node> row(String field) {
    return table.get(field).orElse(null) instanceof Node.Row r ? r.items() : List.of();
  }

  List<String> texts(String field) {
    return row(field).stream().map(Form::scalar).flatMap(Optional::stream).toList();
  }

  /**
   * An environment: names that are Mayfly's own, and values that no process can have, are problems.
   */
  Map<String, String> env(String field) {
    var env = new LinkedHashMap<String, String>();
    var form = inner(field);
    form.table.fields().forEach((name, value) -> scalar(value).ifPresent(v -> env.put(name, v)));
    env.forEach((name, value) -> {
      if (name.startsWith("MAYFLY_"))
        form.complain(name, "is set by Mayfly itself; choose another name");
      if (value.indexOf('\0') >= 0)
        form.complain(name, "has a NUL character in it, which no process can be given");
    });
    var size =
        env.entrySet().stream().mapToInt(e -> e.getKey().length() + e.getValue().length()).sum();
    if (size > 64 * 1024)
      complain(field, "is " + size / 1024 + " KB; at most 64 KB fit into an environment");
    return env;
  }

  /** Variables with a reference to a secret each; those of {@code env} are not theirs. */
  Map<String, String> secrets(String field) {
    var secrets = new LinkedHashMap<String, String>();
    var form = inner(field);
    form.table
        .fields()
        .forEach((name, value) -> scalar(value).ifPresent(v -> secrets.put(name, v)));
    var plain = inner("env").table.fields().keySet();
    secrets
        .keySet()
        .forEach(name -> {
          if (name.startsWith("MAYFLY_"))
            form.complain(name, "is set by Mayfly itself; choose another name");
          if (plain.contains(name)) form.complain(name, "is in env too; write it in one of them");
        });
    return secrets;
  }
}
