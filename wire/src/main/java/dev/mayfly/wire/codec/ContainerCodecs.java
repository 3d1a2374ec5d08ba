package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Codecs of lists, maps and optional values. */
final class ContainerCodecs {
  private ContainerCodecs() {}

  record OptionalCodec(ValueCodec of) implements ValueCodec {
    @Override
    public void write(JsonGenerator out, Object value, long first) {
      ((Optional<?>) value).ifPresentOrElse(v -> of.write(out, v, first), out::writeNull);
    }

    @Override
    public Object read(JsonNode node, String path, long first) {
      return node.isNull() ? Optional.empty() : Optional.of(of.read(node, path, first));
    }

    @Override
    public Object missing(String path, long first) {
      return Optional.empty();
    }

    @Override
    public boolean isOmitted(Object value) {
      return ((Optional<?>) value).isEmpty();
    }
  }

  record ListCodec(ValueCodec of) implements ValueCodec {
    @Override
    public void write(JsonGenerator out, Object value, long first) {
      out.writeStartArray();
      for (var each : (Iterable<?>) value) of.write(out, each, first);
      out.writeEndArray();
    }

    @Override
    public Object read(JsonNode node, String path, long first) {
      if (!node.isArray()) throw ValueCodec.mismatch("a list", node, path);
      var row = new ArrayList<Object>(node.size());
      for (var each : node) row.add(of.read(each, path + "[" + row.size() + "]", first));
      return row;
    }

    @Override
    public Object missing(String path, long first) {
      return List.of();
    }
  }

  /** A map whose keys are texts or constants. */
  record MapCodec(Function<Object, String> name, Function<String, Object> key, ValueCodec of)
      implements ValueCodec {
    @Override
    public void write(JsonGenerator out, Object value, long first) {
      var sorted = new TreeMap<String, Object>();
      ((Map<?, ?>) value).forEach((k, v) -> sorted.put(name.apply(k), v));
      out.writeStartObject();
      for (var each : sorted.entrySet()) {
        out.writeName(each.getKey());
        of.write(out, each.getValue(), first);
      }
      out.writeEndObject();
    }

    @Override
    public Object read(JsonNode node, String path, long first) {
      if (!node.isObject()) throw ValueCodec.mismatch("an object", node, path);
      var table = new LinkedHashMap<Object, Object>();
      for (var each : node.properties())
        table.put(
            key(each.getKey(), path), of.read(each.getValue(), path + "." + each.getKey(), first));
      return table;
    }

    private Object key(String text, String path) {
      try {
        return key.apply(text);
      } catch (IllegalArgumentException e) {
        throw new InvalidInputException(path, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public Object missing(String path, long first) {
      return Map.of();
    }
  }
}
