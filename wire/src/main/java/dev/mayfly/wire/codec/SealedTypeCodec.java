package dev.mayfly.wire.codec;

import static dev.mayfly.wire.codec.ValueCodec.shown;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.KebabCase;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** The codec of a sealed interface: the record's object with a word for its type. */
final class SealedTypeCodec implements ValueCodec {
  private final String word;
  private final Map<String, Class<?>> types = new TreeMap<>();
  private final CodecRegistry codecRegistry;

  SealedTypeCodec(Class<?> type, CodecRegistry codecRegistry) {
    this.word = type.getSimpleName().endsWith("State") ? "state" : "kind";
    this.codecRegistry = codecRegistry;
    records(type).forEach(t -> types.put(KebabCase.of(t), t));
  }

  private static Stream<Class<?>> records(Class<?> type) {
    if (type.isRecord()) return Stream.of(type);
    if (!type.isSealed())
      throw new IllegalArgumentException(type + " has no JSON: make it a record");
    return Stream.of(type.getPermittedSubclasses()).flatMap(SealedTypeCodec::records);
  }

  @Override
  public void write(JsonGenerator out, Object value, long first) {
    out.writeStartObject();
    out.writeStringProperty(word, KebabCase.of(value.getClass()));
    codecRegistry.fields(value.getClass()).writeFields(out, value, first);
    out.writeEndObject();
  }

  @Override
  public Object read(JsonNode node, String path, long first) {
    var name = node.path(word);
    var type = name.isString() ? types.get(name.stringValue()) : null;
    if (type == null)
      throw new InvalidInputException(
          path.isEmpty() ? word : path + "." + word,
          shown(name) + " is none of " + String.join(", ", types.keySet()));
    return codecRegistry.fields(type).read(node, path, first);
  }
}
