package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A user's file of documents; {@code -} is the standard input. */
public final class DocumentFile {
  /** Files of a folder that are proposed. */
  private static final int NAMED = 3;

  /** A larger file, in bytes, is no document that a person wrote. */
  private static final long LARGEST = 1 << 20;

  @Parameters(index = "0", paramLabel = "FILE", description = "YAML or JSON; - is standard input.")
  String file = "";

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in the file.")
  List<String> variables = new ArrayList<>();

  /**
   * The documents of one kind. Throws {@link InvalidInputException} with all input errors at once.
   */
  public List<ParsedDocument> read(String kind) {
    var values = variables(variables, "--var ");
    if (isFolder(file)) throw folder(file, kind);
    var text = bytes(file);
    var unknown = unknown(values.keySet(), UserDocuments.variables(text, label(file)), label(file));
    if (!unknown.isEmpty()) throw new InvalidInputException(unknown);
    var all = UserDocuments.parse(text, label(file), values);
    var wanted = all.stream().filter(d -> d.kind().equals(kind)).toList();
    if (!wanted.isEmpty()) return wanted;
    var hint = kind.equals("Job") ? "mayfly up takes a Cluster" : "mayfly submit takes a Job";
    throw new InvalidInputException(file, "has no " + kind + ", only " + kinds(all) + "; " + hint);
  }

  private static String kinds(List<ParsedDocument> all) {
    return String.join(", ", all.stream().map(ParsedDocument::kind).distinct().toList());
  }

  /** The folder to which relative paths in the file refer. */
  public Path folder() {
    return folder(file);
  }

  /** As {@link #folder()}, for any file. */
  public static Path folder(String file) {
    if (file.equals("-")) return Path.of("").toAbsolutePath();
    var folder = Path.of(file).toAbsolutePath().getParent();
    return folder == null ? Path.of("/") : folder;
  }

  /**
   * Parses {@code NAME=VALUE} pairs of the command line.
   *
   * @param option the option that precedes each pair, or empty
   */
  public static Map<String, String> variables(List<String> pairs, String option) {
    var variables = new LinkedHashMap<String, String>();
    for (var pair : pairs) {
      var at = pair.indexOf('=');
      if (at < 1)
        throw CommandException.input(
            "%1$s%2$s has no value; write %1$sNAME=VALUE".formatted(option, pair));
      variables.put(pair.substring(0, at), pair.substring(at + 1));
    }
    return variables;
  }

  /**
   * What is wrong with variables of the command line that no file has: a value that nothing reads
   * would change nothing, without a word.
   *
   * @param given their names
   * @param known those that the files have
   * @param files as messages name them
   */
  public static List<InputError> unknown(Set<String> given, Set<String> known, String files) {
    var there = known.isEmpty() ? "has no variables" : "has " + String.join(", ", known);
    return given.stream()
        .filter(name -> !known.contains(name))
        .map(name ->
            new InputError(
                files,
                "has no variable {%s}, which the command line sets; it %s%s"
                    .formatted(name, there, SpellingSuggestion.hint(name, known))))
        .toList();
  }

  /** Throws {@link InvalidInputException} for variables that none of the files has. */
  public static void checkVariables(Map<String, String> given, List<String> files) {
    if (given.isEmpty()) return;
    var known = new TreeSet<String>();
    files.forEach(file -> known.addAll(UserDocuments.variables(bytes(file), label(file))));
    var unknown = unknown(given.keySet(), known, String.join(", ", files));
    if (!unknown.isEmpty()) throw new InvalidInputException(unknown);
  }

  /** The name of a file in messages. */
  public static String label(String file) {
    return file.equals("-") ? "stdin" : file;
  }

  /** The content of a file, or of the standard input. Throws {@link CommandException}. */
  public static byte[] bytes(String file) {
    if (isFolder(file)) throw folder(file, "Job|Cluster");
    try {
      return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw CommandException.input(reason(file, e), e);
    }
  }

  private static boolean isFolder(String file) {
    return !file.equals("-") && Files.isDirectory(Path.of(file));
  }

  /**
   * What is said of a folder where a file is wanted: its first files of the kind.
   *
   * @param kind of the document that is wanted, as a regular expression
   */
  private static CommandException folder(String folder, String kind) {
    var found = ofKind(Path.of(folder), kind).stream().map(Path::toString).toList();
    var more = found.size() - NAMED;
    var files =
        found.isEmpty()
            ? "none there is a " + kind.replace("|", " or a ")
            : "for example "
                + String.join(" or ", found.stream().limit(NAMED).toList())
                + (more > 0 ? " (%d more)".formatted(more) : "");
    return CommandException.input(folder + " is a folder; name the file in it, " + files);
  }

  private static List<Path> ofKind(Path folder, String kind) {
    var line = Pattern.compile("(?m)(^|[{,])\\s*\"?kind\"?\\s*:\\s*[\"']?(" + kind + ")\\b");
    try {
      return LocalFolders.children(folder).stream()
          .filter(file -> file.toString().matches(".*[.](ya?ml|json)"))
          .filter(file -> has(file, line))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean has(Path file, Pattern line) {
    try {
      return Files.size(file) <= LARGEST && line.matcher(Files.readString(file)).find();
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static String reason(String file, IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "file not found: " + Path.of(file).toAbsolutePath();
      case AccessDeniedException denied -> file + " is not readable; check its permissions";
      default -> file + " cannot be read: " + e;
    };
  }
}
