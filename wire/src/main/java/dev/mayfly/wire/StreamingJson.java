package dev.mayfly.wire;

import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.TokenBuffer;

/**
 * JSON with Jackson's parser and generator only. Jackson's mapper starts too slowly for an agent's
 * first sync.
 */
final class StreamingJson {
  private static final int NESTING = 100;

  /**
   * The maximum digits of a number, including leading and trailing zeros: enough for any double.
   */
  private static final int LONGEST_NUMBER = 400;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(NESTING)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .build();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final ObjectWriteContext TIMES_AS_TEXT =
      new ObjectWriteContext.Base() {
        @Override
        public void writeValue(JsonGenerator out, Object time) {
          out.writeString(time.toString());
        }
      };
  private static final ObjectWriteContext TIMES_AS_TIMES =
      new ObjectWriteContext.Base() {
        @Override
        public void writeValue(JsonGenerator out, Object time) {
          out.writeEmbeddedObject(time);
        }
      };

  private StreamingJson() {}

  static JsonGenerator generator(OutputStream out) {
    return FACTORY.createGenerator(TIMES_AS_TEXT, out);
  }

  /** The fields of the object that is written, as plain values: times stay times, bytes bytes. */
  static Map<String, Object> fields(Consumer<JsonGenerator> write) {
    try (var buffer = new TokenBuffer(TIMES_AS_TIMES, false)) {
      write.accept(buffer);
      var parser = buffer.asParser();
      parser.nextToken();
      return fields(parser);
    }
  }

  private static Map<String, Object> fields(JsonParser parser) {
    var fields = new LinkedHashMap<String, Object>();
    for (var name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      fields.put(name, plain(parser));
    }
    return fields;
  }

  private static Object plain(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> fields(parser);
      case START_ARRAY -> {
        var list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) list.add(plain(parser));
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      default -> parser.getEmbeddedObject();
    };
  }

  /**
   * Throws {@link JacksonException} unless the bytes are exactly one value. Values are limited,
   * because one takes more memory than its text.
   */
  static JsonNode tree(byte[] bytes, int mostValues) {
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      if (parser.nextToken() == null) throw new StreamReadException(parser, "there is nothing");
      var tree = value(parser, mostValues);
      if (parser.nextToken() != null)
        throw new StreamReadException(parser, "unexpected text after it");
      return tree;
    }
  }

  /** A tree of plain values: maps, lists and scalars; times and bytes become text. */
  static JsonNode tree(Object plain) {
    return switch (plain) {
      case Map<?, ?> map -> {
        var object = NODES.objectNode();
        map.forEach((name, value) -> object.set((String) name, tree(value)));
        yield object;
      }
      case List<?> list -> {
        var array = NODES.arrayNode();
        list.forEach(each -> array.add(tree(each)));
        yield array;
      }
      case byte[] bytes -> NODES.stringNode(Base64.getEncoder().encodeToString(bytes));
      case Boolean flag -> NODES.booleanNode(flag);
      case Double number -> NODES.numberNode(BigDecimal.valueOf(number));
      case Number number -> NODES.numberNode(number.longValue());
      default -> NODES.stringNode(plain.toString());
    };
  }

  private static JsonNode value(JsonParser parser, int mostValues) {
    if (!parser.currentToken().isStructStart()) return scalar(parser);
    var open = new ArrayDeque<JsonNode>();
    var root = struct(parser);
    open.push(root);
    var name = "";
    var values = 0;
    while (!open.isEmpty()) {
      if (++values > mostValues)
        throw new StreamReadException(parser, "there are more than " + mostValues + " values");
      var token = parser.nextToken();
      if (token == JsonToken.PROPERTY_NAME) name = parser.currentName();
      else if (token.isStructEnd()) open.pop();
      else add(parser, open, name);
    }
    return root;
  }

  private static void add(JsonParser parser, Deque<JsonNode> open, String name) {
    var struct = parser.currentToken().isStructStart();
    var node = struct ? struct(parser) : scalar(parser);
    if (open.getFirst() instanceof ObjectNode object) object.set(name, node);
    else if (open.getFirst() instanceof ArrayNode array) array.add(node);
    if (struct) open.push(node);
  }

  private static JsonNode struct(JsonParser parser) {
    return parser.currentToken() == JsonToken.START_OBJECT ? NODES.objectNode() : NODES.arrayNode();
  }

  /**
   * Ten characters can denote a number that fills a heap, so such numbers are refused unexpanded.
   */
  private static BigDecimal decimal(JsonParser parser) {
    try {
      var number = parser.getDecimalValue();
      if (Math.abs((long) number.scale()) <= LONGEST_NUMBER) return number;
    } catch (NumberFormatException | ArithmeticException outOfRange) {
      // The exponent does not fit an int: refused as well.
    }
    throw new StreamReadException(
        parser, "a number has more than " + LONGEST_NUMBER + " digits when it is written out");
  }

  private static JsonNode scalar(JsonParser parser) {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT, LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(decimal(parser));
      default -> NODES.nullNode();
    };
  }
}
