package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads documents from bytes. Throws {@link InvalidInputException} with the line of the first
 * syntax error.
 */
public final class DocumentParser {
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
    var text = utf8(bytes, label);
    var into = new NodeBuilder(label);
    if (isJson(text)) JsonTreeParser.read(text, into);
    else YamlTreeParser.read(text, into);
    return into.documents();
  }

  @SuppressWarnings("UnusedException") // the decoder does not report a position
  private static String utf8(byte[] bytes, String label) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new InvalidInputException(label, "is no UTF-8 text; save it as UTF-8");
    }
  }

  /** Whether the text begins like JSON: YAML in braces has unquoted names. */
  private static boolean isJson(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") && start.substring(1).stripLeading().matches("(?s)[\"}].*");
  }
}
