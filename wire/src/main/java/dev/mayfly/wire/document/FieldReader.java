package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.ContainerRegistries;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.DurationFormat;
import dev.mayfly.wire.text.QuantityFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One object of a document, read field by field. A field of the wrong type counts as absent,
 * because the schema has reported it already.
 */
record FieldReader(SyntaxNode.Mapping mapping, String path, ProblemList problems) {
  FieldReader child(String field) {
    var inner =
        mapping.get(field).orElse(null) instanceof SyntaxNode.Mapping t
            ? t
            : new SyntaxNode.Mapping(Map.of(), mapping.line());
    return new FieldReader(inner, at(field), problems);
  }

  String at(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  void addProblem(String field, String message) {
    problems.add(new InputError(at(field), message));
  }

  /** The unescaped text: {@code {{name}}} becomes {name}. */
  Optional<String> text(String field) {
    return mapping.text(field).map(FieldReader::unescaped);
  }

  private static String unescaped(String text) {
    return TaskTemplate.fill(text, Map.of());
  }

  String name(String field) {
    return text(field).orElse("");
  }

  /** The text with its {placeholders}. */
  Optional<String> template(String field) {
    return mapping.text(field);
  }

  /** The result of {@code read} on a text or a number; its exception becomes a problem. */
  <T> Optional<T> read(String field, Function<String, T> read) {
    return scalar(field).flatMap(text -> tried(field, text, read));
  }

  private <T> Optional<T> tried(String field, String text, Function<String, T> read) {
    try {
      return Optional.of(read.apply(text));
    } catch (IllegalArgumentException e) {
      addProblem(field, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /** A text, or a number as written: 3.10 stays 3.10. */
  Optional<String> scalarText(String field) {
    return scalar(field);
  }

  private Optional<String> scalar(String field) {
    return mapping.get(field).flatMap(FieldReader::scalar);
  }

  static Optional<String> scalar(SyntaxNode syntaxNode) {
    return switch (syntaxNode) {
      case SyntaxNode.Text text -> Optional.of(unescaped(text.value()));
      case SyntaxNode.Literal literal -> Optional.of(literal.written());
      default -> Optional.empty();
    };
  }

  long integer(String field, long otherwise) {
    if (!(mapping.get(field).orElse(null) instanceof SyntaxNode.Literal(BigDecimal n, _, _)))
      return otherwise;
    var fits = n.stripTrailingZeros().scale() <= 0 && n.precision() - n.scale() <= 18;
    return fits ? n.longValueExact() : otherwise;
  }

  double number(String field, double otherwise) {
    return mapping.get(field).orElse(null) instanceof SyntaxNode.Literal(BigDecimal n, _, _)
        ? n.doubleValue()
        : otherwise;
  }

  boolean flag(String field) {
    return mapping.get(field).orElse(null) instanceof SyntaxNode.Literal p
        && Boolean.TRUE.equals(p.value());
  }

  Duration duration(String field, Duration otherwise, Duration least, Duration most) {
    var read = read(field, DurationFormat::read).orElse(otherwise);
    if (read.compareTo(least) < 0)
      addProblem(
          field,
          DurationFormat.write(read)
              + " is too short; write "
              + DurationFormat.write(least)
              + " or more");
    if (read.compareTo(most) > 0)
      addProblem(
          field,
          DurationFormat.write(read)
              + " is too long; write "
              + DurationFormat.write(most)
              + " or less");
    return read;
  }

  List<SyntaxNode> list(String field) {
    return mapping.get(field).orElse(null) instanceof SyntaxNode.Sequence r ? r.items() : List.of();
  }

  /** Which tasks are meant; after a problem, any: the document is refused. */
  TaskRanges taskRanges(String field) {
    try {
      return TaskRanges.parse(String.join(",", texts(field)));
    } catch (IllegalArgumentException wrong) {
      addProblem(field, String.valueOf(wrong.getMessage()));
      return new TaskRanges(List.of(new TaskRanges.Range(0, 0)));
    }
  }

  /** The objects of a list, each with its place. */
  List<FieldReader> children(String field) {
    var children = new ArrayList<FieldReader>();
    var rows = list(field);
    for (var i = 0; i < rows.size(); i++)
      if (rows.get(i) instanceof SyntaxNode.Mapping row)
        children.add(new FieldReader(row, at(field) + "[" + i + "]", problems));
    return children;
  }

  List<String> texts(String field) {
    return list(field).stream().map(FieldReader::scalar).flatMap(Optional::stream).toList();
  }

  /** The fields that are texts or numbers, as texts. */
  Map<String, String> scalars() {
    var scalars = new LinkedHashMap<String, String>();
    mapping
        .fields()
        .forEach((name, value) -> scalar(value).ifPresent(text -> scalars.put(name, text)));
    return scalars;
  }

  /** An environment. Reserved names, and values that no process can have, are problems. */
  Map<String, String> env(String field) {
    var fieldReader = child(field);
    var env = fieldReader.scalars();
    env.forEach((name, value) -> {
      fieldReader.checkNotReserved(name);
      if (value.indexOf('\0') >= 0)
        fieldReader.addProblem(name, "has a NUL character in it, which no process can be given");
    });
    var size =
        env.entrySet().stream().mapToInt(e -> e.getKey().length() + e.getValue().length()).sum();
    if (size > 64 * 1024)
      addProblem(field, "is " + size / 1024 + " KB; at most 64 KB fit into an environment");
    return env;
  }

  /** Variables with a secret reference each; their names must not be in {@code env}. */
  Map<String, String> secrets(String field) {
    var fieldReader = child(field);
    var secrets = fieldReader.scalars();
    var plain = child("env").mapping.fields().keySet();
    for (var name : secrets.keySet()) {
      fieldReader.checkNotReserved(name);
      if (plain.contains(name))
        fieldReader.addProblem(name, "is in env too; write it in one of them");
    }
    return secrets;
  }

  private void checkNotReserved(String name) {
    if (name.startsWith("MAYFLY_"))
      addProblem(name, "is set by Mayfly itself; choose another name");
  }

  /** Logins of container registries: a secret reference for each host. */
  Map<String, String> registries(String field) {
    var fieldReader = child(field);
    var logins = fieldReader.scalars();
    for (var host : logins.keySet()) {
      if (ContainerRegistries.isDockerHub(host) && !host.equals(ContainerRegistries.DOCKER_HUB))
        fieldReader.addProblem(host, "is Docker Hub; write " + ContainerRegistries.DOCKER_HUB);
      if (host.contains(":") && port(host) > 65_535)
        fieldReader.addProblem(host, "has port " + port(host) + "; write 1 to 65535");
    }
    return logins;
  }

  /** The schema ensures that it is a number. */
  private static long port(String host) {
    var text = host.substring(host.indexOf(':') + 1);
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }

  /** The amounts in this object, and those of {@code otherwise} for what it leaves out. */
  Resources resources(Resources otherwise) {
    return new Resources(
        read("cpu", QuantityFormat::millis).orElse(otherwise.cpuMillis()),
        read("memory", QuantityFormat::bytes).orElse(otherwise.memoryBytes()),
        read("gpu", QuantityFormat::millis).orElse(otherwise.gpuMillis()),
        integer("tpu", otherwise.tpuChips()),
        read("gpuMemory", QuantityFormat::bytes).orElse(otherwise.gpuMemoryBytes()));
  }
}
