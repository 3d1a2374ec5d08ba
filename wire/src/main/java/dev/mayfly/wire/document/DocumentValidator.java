package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.DocumentExpander;
import dev.mayfly.wire.syntax.DocumentLimits;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.DocumentPlace;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.SingleLineText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parses, merges, substitutes and validates documents.
 *
 * <p>Throws {@link InvalidInputException} with the problems of all documents at once.
 */
public final class DocumentValidator {
  /**
   * One document.
   *
   * @param json the document as it can be published
   * @param place its position, for messages
   */
  public record ValidDocument(
      String kind, String name, String json, UserCommand command, DocumentPlace place) {}

  /** What was read: the valid documents, and the errors of the others. */
  public record Result(List<ValidDocument> documents, List<InputError> problems) {
    private static Result failed(String path, String message) {
      return new Result(List.of(), List.of(new InputError(path, message)));
    }
  }

  private final String label;
  private final boolean folders;
  private final DocumentExpander expander;
  private final ProblemList problems = new ProblemList();
  private final List<ValidDocument> validDocument = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private int count;

  private DocumentValidator(String label, Map<String, String> variables, boolean folders) {
    this.label = label;
    this.folders = folders;
    this.expander = new DocumentExpander(variables, DocumentKind.words());
  }

  /**
   * All documents of a file or a message. Throws {@link InvalidInputException} with all errors.
   *
   * @param label the file's name, empty for a message
   * @param variables the caller's variables, which override those of the file
   * @param folders whether {@code code} may be a local folder
   */
  public static List<ValidDocument> documents(
      byte[] text, String label, Map<String, String> variables, boolean folders) {
    var read = check(text, label, variables, folders);
    if (!read.problems().isEmpty()) throw new InvalidInputException(read.problems());
    return read.documents();
  }

  /**
   * The valid documents and the errors of the others.
   *
   * <p>Any exception of a parser or a check becomes an error, because the same text would fail
   * again. The parameters are those of {@link #documents}.
   */
  @SuppressWarnings("UnusedException") // the message contains the exception and its position
  public static Result check(
      byte[] text, String label, Map<String, String> variables, boolean folders) {
    try {
      return new DocumentValidator(label, variables, folders).read(text);
    } catch (InvalidInputException invalidInputException) {
      return new Result(List.of(), invalidInputException.problems());
    } catch (StackOverflowError tooDeep) {
      return Result.failed(label, "cannot be read: a text in it is too long; write shorter ones");
    } catch (RuntimeException mistake) {
      return Result.failed(
          label, "cannot be read: " + SingleLineText.of(mistake.toString(), 200) + at(mistake));
    }
  }

  /** Where the exception was thrown, for bug reports. */
  private static String at(Throwable mistake) {
    var frames = mistake.getStackTrace();
    return frames.length == 0 ? "" : " (" + frames[0] + "); this is a bug in Mayfly";
  }

  /** As {@link #documents(byte[], String, Map, boolean)}, for one that is a part of another. */
  public static List<ValidDocument> documents(
      SyntaxNode.Mapping document, String label, Map<String, String> variables) {
    var read = new DocumentValidator(label, variables, true).read(List.of(document));
    if (!read.problems().isEmpty()) throw new InvalidInputException(read.problems());
    return read.documents();
  }

  private Result read(byte[] text) {
    return read(DocumentParser.documents(text, label));
  }

  private Result read(List<? extends SyntaxNode> syntaxNodes) {
    count = syntaxNodes.size();
    for (var i = 0; i < syntaxNodes.size(); i++) take(syntaxNodes.get(i), i + 1);
    if (validDocument.isEmpty() && problems.isEmpty())
      problems.add(
          new InputError(label, "has no document; write one with a kind, for example kind: Job"));
    return new Result(List.copyOf(validDocument), allProblems());
  }

  private void take(SyntaxNode syntaxNode, int number) {
    var found = new ProblemList();
    var merged = expander.merged(syntaxNode, found);
    add(syntaxNode, number, found);
    merged.ifPresent(d -> document(d, number));
  }

  private void document(DocumentExpander.MergedDocument merged, int number) {
    var word = merged.document().text("kind");
    var documentKind =
        word.isPresent() ? DocumentKind.of(word.get()) : DocumentKind.byFields(merged.document());
    if (documentKind.isEmpty()) {
      add(merged.document(), number, new InputError("kind", unknownKind(word.orElse(""))));
      return;
    }
    var found = new ProblemList();
    var document = substituted(merged, documentKind.get(), found);
    UnpairedSurrogates.check(document, "", found);
    var errors = documentKind.get().schemaErrors(document);
    if (found.isEmpty() && errors.problems().isEmpty()) {
      var userCommand = command(documentKind.get(), document, found);
      if (found.isEmpty()) keep(documentKind.get(), document, userCommand, number);
      else add(document, number, found);
      return;
    }
    var kind = documentKind.get();
    wrong(kind, DocumentCheck.of(kind, merged, document, found, errors, this::substituted), number);
  }

  /** Tells what is wrong with the fields of a document, and what does not follow from that. */
  private void wrong(DocumentKind documentKind, DocumentCheck checked, int number) {
    var found = checked.problems();
    found.addUnless(FollowingErrors.of(found), more(documentKind, checked.document(), found));
    add(checked.places(), number, found);
  }

  private UserCommand command(
      DocumentKind documentKind, SyntaxNode.Mapping document, ProblemList problems) {
    return documentKind.command(new FieldReader(document, "", problems), folders);
  }

  /**
   * More problems of a document that the schema has refused. Exceptions while reading such a
   * document are ignored.
   */
  private ProblemList more(
      DocumentKind documentKind, SyntaxNode.Mapping document, ProblemList found) {
    var more = new ProblemList();
    if (found.isFull()) return more;
    try {
      var unused = command(documentKind, document, more);
    } catch (RuntimeException | StackOverflowError meaningless) {
      return more;
    }
    return more;
  }

  private static String unknownKind(String word) {
    var kinds = String.join(", ", DocumentKind.words());
    if (word.isEmpty()) return "is missing; write one of " + kinds;
    return "'"
        + word
        + "' is none of "
        + kinds
        + SpellingSuggestion.hint(word, DocumentKind.words());
  }

  /** In a job, placeholders that tasks fill are kept: some in the command, more in the output. */
  private SyntaxNode.Mapping substituted(
      DocumentExpander.MergedDocument merged, DocumentKind documentKind, ProblemList found) {
    if (documentKind != DocumentKind.JOB)
      return expander.substituted(merged, Set.of(), Set.of(), found);
    var inCommand = PlaceholderValidator.placeholders(merged.document(), merged.variables());
    var inOutput = new HashSet<>(inCommand);
    inOutput.addAll(TaskTemplate.OUTPUT_NAMES);
    return expander.substituted(merged, inCommand, inOutput, found);
  }

  private void keep(
      DocumentKind documentKind, SyntaxNode.Mapping document, UserCommand userCommand, int number) {
    var name = document.text(documentKind.nameField()).orElse("");
    var json = document.json();
    var place = place(document, number);
    var size = json.getBytes(StandardCharsets.UTF_8).length;
    var other =
        places.putIfAbsent(
            String.join(
                " ",
                documentKind.word(),
                document.text("cluster").orElse(""),
                // Names of jobs are apart for each owner.
                document.text("owner").filter(_ -> documentKind == DocumentKind.JOB).orElse(""),
                name),
            place);
    if (size > DocumentLimits.BYTES)
      add(
          document,
          number,
          new InputError(
              "",
              "is "
                  + size / 1024
                  + " KB with its defaults; at most "
                  + DocumentLimits.BYTES / 1024
                  + " KB can be published"));
    if (other != null)
      add(
          document,
          number,
          new InputError(
              documentKind.nameField(),
              "'" + name + "' is there twice, first at " + other + "; rename or remove one"));
    validDocument.add(
        new ValidDocument(
            documentKind.word(),
            name,
            json,
            userCommand,
            new DocumentPlace(label, place, document)));
  }

  private String place(SyntaxNode syntaxNode, int number) {
    if (!label.isEmpty()) return label + ":" + syntaxNode.line();
    return count > 1 ? "document " + number : "";
  }

  /** Adds problems in line order. */
  private void add(SyntaxNode document, int number, ProblemList found) {
    found.first().stream()
        .sorted(Comparator.comparingInt(p -> document.at(p.path()).line()))
        .forEach(inputError -> add(document, number, inputError));
    problems.addCount(found.more());
  }

  private void add(SyntaxNode document, int number, InputError inputError) {
    if (problems.isFull()) {
      problems.addCount(1);
      return;
    }
    var place = place(document.at(inputError.path()), number);
    var path = SingleLineText.of(inputError.path(), 200);
    var joined = place.isEmpty() || path.isEmpty() ? place + path : place + ": " + path;
    problems.add(new InputError(joined, SingleLineText.of(inputError.message(), 600)));
  }

  private List<InputError> allProblems() {
    var shown = new ArrayList<>(problems.first());
    if (problems.more() > 0)
      shown.add(new InputError(label, "and " + problems.more() + " more problems like these"));
    return shown;
  }
}
