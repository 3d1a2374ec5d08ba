package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads documents from bytes: YAML, or one or more JSON documents behind each other. Throws {@link
 * InvalidInputException} with the line of the first syntax error.
 */
public final class DocumentParser {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DocumentLimits.NESTING + 1)
                  .maxNumberLength(DocumentLimits.BYTES)
                  .build())
          .build();

  private DocumentParser() {}

  /**
   * The non-empty documents.
   *
   * @param label the file's name for messages; empty for a message
   */
  public static List<SyntaxNode> documents(byte[] bytes, String label) {
    if (bytes.length > DocumentLimits.BYTES)
      throw new InvalidInputException(
          label,
          "is "
              + bytes.length / 1024
              + " KB; at most "
              + DocumentLimits.BYTES / 1024
              + " KB can be published: list the tasks' inputs in objects and use a glob (tasks.inputs)");
    var text = text(bytes, label);
    var into = new NodeBuilder(label);
    if (isJson(text)) json(text, into);
    else YamlTreeParser.read(text, into);
    return into.documents();
  }

  /** The text of a file, without a byte order mark. Throws if it is not UTF-8. */
  public static String text(byte[] bytes, String label) {
    var in = ByteBuffer.wrap(bytes);
    // UTF-8 has no more characters than bytes.
    var out = CharBuffer.allocate(bytes.length);
    var end = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (end.isError()) throw noText(bytes, in.position(), label);
    var text = out.flip().toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static InvalidInputException noText(byte[] bytes, int at, String label) {
    var line = 1 + IntStream.range(0, at).filter(i -> bytes[i] == '\n').count();
    return new InvalidInputException(
        label,
        "is not UTF-8 text; save it as UTF-8 (byte 0x%02X of line %d is none)"
            .formatted(bytes[at], line));
  }

  /** Whether the text begins like JSON: YAML in braces has unquoted names. */
  private static boolean isJson(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") && start.substring(1).stripLeading().matches("(?s)[\"}].*");
  }

  /** One JSON object and nothing else. */
  public static SyntaxNode.Mapping object(byte[] bytes) {
    var into = new NodeBuilder("");
    json(text(bytes, ""), into);
    var all = into.documents();
    if (all.size() == 1 && all.getFirst() instanceof SyntaxNode.Mapping object) return object;
    throw new InvalidInputException("", "is not one object in braces");
  }

  private static void json(String text, NodeBuilder into) {
    try (var parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      while (parser.nextToken() != null)
        take(parser, parser.currentTokenLocation().getLineNr(), into);
    } catch (JacksonException e) {
      var line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw into.invalidAt(line, "is not JSON: " + e.getOriginalMessage());
    }
  }

  private static void take(JsonParser parser, int line, NodeBuilder into) {
    switch (parser.currentToken()) {
      case START_OBJECT -> into.start(true, line, null);
      case START_ARRAY -> into.start(false, line, null);
      case END_OBJECT, END_ARRAY -> into.end();
      case PROPERTY_NAME, VALUE_STRING -> {
        var text = parser.getString();
        into.scalar(new SyntaxNode.Text(text, line), text, null);
      }
      default -> plain(parser.getString(), line, into);
    }
  }

  /** A number that is not a quantity of ours is kept as its text, as in YAML. */
  private static void plain(String text, int line, NodeBuilder into) {
    into.scalar(SyntaxNode.plain(text, line), text, null);
  }
}
