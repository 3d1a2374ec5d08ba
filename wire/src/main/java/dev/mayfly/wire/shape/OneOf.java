package dev.mayfly.wire.shape;

import static dev.mayfly.wire.shape.Shape.shown;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.wire.text.Words;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** A sealed interface: the object of the record that it is, and one word that says which. */
final class OneOf implements Shape {
  private final String word;
  private final Map<String, Class<?>> types = new TreeMap<>();
  private final Shapes shapes;

  OneOf(Class<?> type, Shapes shapes) {
    this.word = type.getSimpleName().endsWith("State") ? "state" : "kind";
    this.shapes = shapes;
    records(type).forEach(t -> types.put(Words.of(t), t));
  }

  private static Stream<Class<?>> records(Class<?> type) {
    if (type.isRecord()) return Stream.of(type);
    if (!type.isSealed())
      throw new IllegalArgumentException(type + " has no JSON: make it a record");
    return Stream.of(type.getPermittedSubclasses()).flatMap(OneOf::records);
  }

  @Override
  public void write(JsonGenerator out, Object value, long first) {
    out.writeStartObject();
    out.writeStringProperty(word, Words.of(value.getClass()));
    shapes.fields(value.getClass()).writeFields(out, value, first);
    out.writeEndObject();
  }

  @Override
  public Object plain(Object value, long first) {
    var into = new LinkedHashMap<String, Object>();
    into.put(word, Words.of(value.getClass()));
    return shapes.fields(value.getClass()).plainFields(value, first, into);
  }

  @Override
  public Object read(JsonNode node, String path, long first) {
    var name = node.path(word);
    var type = name.isString() ? types.get(name.stringValue()) : null;
    if (type == null)
      throw new Invalid(
          path.isEmpty() ? word : path + "." + word,
          shown(name) + " is none of " + String.join(", ", types.keySet()));
    return shapes.fields(type).read(node, path, first);
  }
}
