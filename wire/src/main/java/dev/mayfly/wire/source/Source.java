package dev.mayfly.wire.source;

import dev.mayfly.core.error.Invalid;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads documents from bytes. Throws {@link Invalid} with the line of the first thing that is no
 * YAML or JSON.
 */
public final class Source {
  private Source() {}

  /**
   * The documents that are not empty.
   *
   * @param label the file's name for messages; empty for a message
   */
  public static List<Node> documents(byte[] bytes, String label) {
    if (bytes.length > Caps.BYTES)
      throw new Invalid(
          label,
          "is "
              + bytes.length / 1024
              + " KB; at most "
              + Caps.BYTES / 1024
              + " KB can be published: list the tasks' inputs in objects and use a glob (tasks.inputs)");
    var text = utf8(bytes, label);
    var into = new Builder(label);
    if (isJson(text)) JsonText.read(text, into);
    else YamlText.read(text, into);
    return into.documents();
  }

  @SuppressWarnings("UnusedException") // the decoder does not know where
  private static String utf8(byte[] bytes, String label) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new Invalid(label, "is no UTF-8 text; save it as UTF-8");
    }
  }

  /** Whether it begins as JSON does: YAML in braces has no quotes around its names. */
  private static boolean isJson(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") && start.substring(1).stripLeading().matches("(?s)[\"}].*");
  }
}
