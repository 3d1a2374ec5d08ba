package dev.mayfly.wire;

import static java.util.Objects.requireNonNull;

import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A document with every field that a schema knows, each with its example. */
final class SchemaExample {
  private final String name;

  SchemaExample(String name) {
    this.name = name + ".schema.json";
  }

  /** Such fields may exclude each other, so that the document need not be valid. */
  SyntaxNode everything() {
    return example(read(name), name);
  }

  private static JsonNode read(String file) {
    try (var in = Wire.class.getResourceAsStream("/dev/mayfly/schemas/" + file)) {
      return JsonMapper.shared().readTree(requireNonNull(in).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SyntaxNode example(JsonNode schema, String file) {
    var ref = schema.path("$ref").asString("");
    if (!ref.isEmpty()) {
      var other = ref.startsWith("#") ? file : ref.substring(0, ref.indexOf('#'));
      return example(read(other).at(ref.substring(ref.indexOf('#') + 1)), other);
    }
    if (schema.has("properties")) {
      var fields = new LinkedHashMap<String, SyntaxNode>();
      for (var property : schema.path("properties").properties())
        fields.put(property.getKey(), example(property.getValue(), file));
      return new SyntaxNode.Mapping(fields, 1);
    }
    if (schema.has("const")) return plain(schema.path("const"));
    if (schema.has("items") && !schema.has("examples"))
      return new SyntaxNode.Sequence(List.of(example(schema.path("items"), file)), 1);
    if (schema.has("items")
        && (schema.path("items").has("$ref") || schema.path("items").has("properties")))
      return new SyntaxNode.Sequence(List.of(example(schema.path("items"), file)), 1);
    return plain(schema.path(schema.has("examples") ? "examples" : "enum").path(0));
  }

  private static SyntaxNode plain(JsonNode value) {
    var text = "{\"value\": " + value + "}";
    return DocumentParser.object(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .get("value")
        .orElseThrow();
  }
}
