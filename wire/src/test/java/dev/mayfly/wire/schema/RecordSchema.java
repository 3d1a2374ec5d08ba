package dev.mayfly.wire.schema;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.wire.text.KebabCase;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the schema of a record from the record itself, by the rules of {@code
 * dev.mayfly.wire.codec}.
 */
public final class RecordSchema {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String RANGED =
      "{'description': 'base64: of a set of tasks a bit each, of counts a byte each; text alone"
          + " begins where the range does', 'type': ['string', 'object'], 'properties': {'first':"
          + " {'type': 'integer'}, 'bytes': {'type': 'string'}}, 'required': ['first', 'bytes'],"
          + " 'contentEncoding': 'base64'}";

  private static final Map<Class<?>, String> SCALARS =
      Map.ofEntries(
          Map.entry(String.class, "{'type': 'string'}"),
          Map.entry(int.class, "{'type': 'integer'}"),
          Map.entry(Integer.class, "{'type': 'integer'}"),
          Map.entry(long.class, "{'type': 'integer'}"),
          Map.entry(Long.class, "{'type': 'integer'}"),
          Map.entry(double.class, "{'type': 'number'}"),
          Map.entry(Double.class, "{'type': 'number'}"),
          Map.entry(boolean.class, "{'type': 'boolean'}"),
          Map.entry(Boolean.class, "{'type': 'boolean'}"),
          Map.entry(Instant.class, "{'type': 'string', 'format': 'date-time'}"),
          Map.entry(LocalDate.class, "{'type': 'string', 'format': 'date'}"),
          Map.entry(Duration.class, "{'type': 'string', 'pattern': '^[0-9P]'}"),
          Map.entry(
              Resources.class,
              "{'type': 'object', 'properties': {'cpu': {'type': 'number'}, 'memory': {'type':"
                  + " 'string', 'pattern': '^-?[0-9]+([KMGT]i)?$'}, 'gpu': {'type': 'number'},"
                  + " 'tpu': {'type': 'integer'}, 'gpuMemory': {'type': 'string', 'pattern':"
                  + " '^-?[0-9]+([KMGT]i)?$'}}}"),
          Map.entry(TaskSet.class, RANGED),
          Map.entry(TaskCounts.class, RANGED));

  private final Map<String, JsonNode> parts = new TreeMap<>();
  private final FieldWords words;
  private final List<String> undescribed = new ArrayList<>();
  private final boolean stored;

  private RecordSchema(FieldWords words, boolean stored) {
    this.words = words;
    this.stored = stored;
  }

  /**
   * What has a schema.
   *
   * @param file the schema's name
   * @param about one line
   * @param stored whether it is a document of the ledger
   */
  public record Subject(Class<?> type, String file, String about, boolean stored) {}

  public static String of(Subject subject) {
    return new RecordSchema(new FieldWords(), subject.stored()).text(subject);
  }

  /** The fields of the document of which nobody has said what they mean. */
  public static List<String> undescribed(Subject subject, FieldWords words) {
    var schema = new RecordSchema(words, subject.stored());
    var _ = schema.text(subject);
    return schema.undescribed;
  }

  private String text(Subject subject) {
    var root = type(subject.type());
    var all = JSON.createObjectNode();
    all.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    all.put("$id", "https://mayfly.dev/schemas/v1/" + subject.file() + ".schema.json");
    all.put("title", subject.type().getSimpleName());
    all.put("description", subject.about());
    all.setAll((ObjectNode) root);
    var defs = all.putObject("$defs");
    if (stored) addConsoleFields(subject.type());
    parts.forEach(defs::set);
    return all.toPrettyString() + "\n";
  }

  /** What the ledger adds to a document in Firestore. */
  private void addConsoleFields(Class<?> type) {
    var properties = (ObjectNode) parts.get(FieldWords.name(type)).get("properties");
    StoredFields.of(type)
        .forEach((field, form) -> {
          var node = (ObjectNode) JSON.readTree(form.replace('\'', '"'));
          describe(node, words.ofConsole(field), type, field);
          properties.set(field, node);
        });
  }

  private void describe(ObjectNode node, Optional<String> said, Class<?> type, String field) {
    said.ifPresentOrElse(
        text -> node.put("description", text),
        () -> undescribed.add(FieldWords.name(type) + "." + field));
  }

  private JsonNode type(Type type) {
    if (type instanceof ParameterizedType generic) return generic(generic);
    var plain = (Class<?>) type;
    var scalar = SCALARS.get(plain);
    if (scalar != null) return JSON.readTree(scalar.replace('\'', '"'));
    if (plain.isEnum()) return constants(plain);
    var name = FieldWords.name(plain);
    if (!parts.containsKey(name)) {
      parts.put(name, JSON.nullNode());
      parts.put(name, plain.isRecord() ? fields(plain, Optional.empty()) : oneOf(plain));
    }
    return JSON.createObjectNode().put("$ref", "#/$defs/" + name);
  }

  private JsonNode generic(ParameterizedType type) {
    var of = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) return type(of[0]);
    var node = JSON.createObjectNode();
    if (type.getRawType() == List.class) {
      node.put("type", "array").set("items", type(of[0]));
      return node;
    }
    node.put("type", "object");
    if (of[0] instanceof Class<?> key && key.isEnum()) node.set("propertyNames", constants(key));
    node.set("additionalProperties", type(of[1]));
    return node;
  }

  private static JsonNode constants(Class<?> type) {
    var node = JSON.createObjectNode();
    var all = node.putArray("enum");
    for (var constant : type.getEnumConstants()) all.add(KebabCase.of((Enum<?>) constant));
    return node;
  }

  private ObjectNode fields(Class<?> type, Optional<String> word) {
    var node = JSON.createObjectNode().put("type", "object");
    var properties = node.putObject("properties");
    var required = node.putArray("required");
    word.ifPresent(w -> {
      var which = properties.putObject(w).put("const", KebabCase.of(type));
      which.put("description", "which of the forms this is; the other fields depend on it");
      required.add(w);
    });
    for (var part : type.getRecordComponents()) {
      var form = (ObjectNode) type(part.getGenericType());
      describe(form, words.of(type, part.getName()), type, part.getName());
      properties.set(part.getName(), form);
      var optional =
          part.getType() == Optional.class
              || (stored && StoredFields.mayLack(type, part.getName()));
      if (!optional) required.add(part.getName());
    }
    return node;
  }

  private JsonNode oneOf(Class<?> type) {
    var word = type.getSimpleName().endsWith("State") ? "state" : "kind";
    var node = JSON.createObjectNode();
    var each = node.putArray("oneOf");
    records(type).forEach(r -> each.add(fields(r, Optional.of(word))));
    return node;
  }

  static Stream<Class<?>> records(Class<?> type) {
    if (type.isRecord()) return Stream.of(type);
    return Arrays.stream(type.getPermittedSubclasses()).flatMap(RecordSchema::records);
  }
}
