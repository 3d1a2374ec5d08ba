package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.document.DocumentValidator;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses and creates users' documents.
 *
 * <p>YAML or JSON, several in one file, with {@code defaults} and {@code variables}; see {@link
 * dev.mayfly.wire.syntax.DocumentExpander}. Every method throws {@link InvalidInputException} with
 * all errors at once.
 */
public final class UserDocuments {
  private static final Pattern WORD = Pattern.compile("\\{[A-Za-z_][A-Za-z0-9_]*\\}");

  private UserDocuments() {}

  /**
   * The documents of a file; {@code code} may be a folder.
   *
   * @param file the file's name for messages
   * @param variables override those of the file; read like unquoted values in it
   */
  public static List<ParsedDocument> parse(
      byte[] text, String file, Map<String, String> variables) {
    return DocumentValidator.documents(text, file, variables, true).stream()
        .map(w -> new ParsedDocument(w.kind(), w.name(), w.json(), w.command(), w.place()))
        .toList();
  }

  /**
   * Escapes a text so that it reaches a task unchanged: {@code {index}} in it is not a placeholder.
   */
  public static String literal(String text) {
    return WORD.matcher(text).replaceAll("{$0}");
  }

  /**
   * Creates a document from fields: texts, numbers, booleans, lists and maps.
   *
   * @param kind for example {@code Job} or {@code StopJob}; {@code apiVersion} is added
   */
  public static ParsedDocument of(String kind, Map<String, ?> fields) {
    var document = new LinkedHashMap<String, Object>();
    document.put("apiVersion", "mayfly.dev/v1");
    document.put("kind", kind);
    document.putAll(fields);
    var json = JsonMapper.shared().writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
    return parse(json, "", Map.of()).getFirst();
  }
}
