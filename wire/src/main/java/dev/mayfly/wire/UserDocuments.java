package dev.mayfly.wire;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.document.DocumentValidator;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.DocumentVariables;
import dev.mayfly.wire.syntax.PlainValues;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

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
        .map(UserDocuments::parsed)
        .toList();
  }

  /**
   * A document that is a part of another one.
   *
   * @param file the name of the other one's file, for messages
   * @param variables as of {@link #parse(byte[], String, Map)}
   */
  public static List<ParsedDocument> parse(
      SyntaxNode.Mapping document, String file, Map<String, String> variables) {
    return DocumentValidator.documents(document, file, variables).stream()
        .map(UserDocuments::parsed)
        .toList();
  }

  /**
   * The names of the variables of a file: those that it sets, and those that its texts have as
   * {name}, without what each task has by itself.
   *
   * @param file the file's name for messages
   */
  public static Set<String> variables(byte[] text, String file) {
    return DocumentVariables.of(DocumentParser.documents(text, file));
  }

  private static ParsedDocument parsed(DocumentValidator.ValidDocument valid) {
    return new ParsedDocument(
        valid.kind(), valid.name(), valid.json(), valid.command(), valid.place());
  }

  /**
   * A file's valid documents, and the errors of the others.
   *
   * @param documents those without errors
   * @param problems all errors of the file, each with its line
   */
  public record Checked(List<ParsedDocument> documents, List<InputError> problems) {}

  /** As {@link #parse}, but a document with errors does not hide the others. */
  public static Checked check(byte[] text, String file, Map<String, String> variables) {
    var result = DocumentValidator.check(text, file, variables, true);
    return new Checked(
        result.documents().stream().map(UserDocuments::parsed).toList(), result.problems());
  }

  /**
   * Escapes a text so that it reaches a task unchanged: {@code {index}} in it is not a placeholder.
   */
  public static String literal(String text) {
    return WORD.matcher(text).replaceAll("{$0}");
  }

  /**
   * The text of a file, without a byte order mark; another encoding than UTF-8 is an error, as its
   * characters would be replaced.
   *
   * @param file the file's name for messages
   */
  public static String text(byte[] bytes, String file) {
    return DocumentParser.text(bytes, file);
  }

  /**
   * The fields of one JSON object: texts, truth values, lists and maps. A number is its text, as
   * written. {@link #of} takes them.
   */
  public static Map<String, Object> fields(byte[] json) {
    var fields = new LinkedHashMap<String, Object>();
    DocumentParser.object(json)
        .fields()
        .forEach((name, value) -> fields.put(name, PlainValues.plain(value)));
    return fields;
  }

  /** A value of the command line, for {@link #of}: read like an unquoted one of a file. */
  public static Object unquoted(String text) {
    return SyntaxNode.plain(text, 1);
  }

  /**
   * Creates a document from fields: texts, whole numbers, truth values, lists, maps, and values of
   * {@link #fields} and {@link #unquoted}. Other numbers are given as texts.
   *
   * @param kind for example {@code Job} or {@code StopJob}; {@code apiVersion} is added
   */
  public static ParsedDocument of(String kind, Map<String, ?> fields) {
    var document = new LinkedHashMap<String, Object>();
    document.put("apiVersion", "mayfly.dev/v1");
    document.put("kind", kind);
    document.putAll(fields);
    var json = PlainValues.node(document).json();
    return parse(json.getBytes(StandardCharsets.UTF_8), "", Map.of()).getFirst();
  }
}
