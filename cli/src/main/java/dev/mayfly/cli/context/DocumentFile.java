package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.core.error.InvalidInputException;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A user's file of documents; {@code -} is the standard input. */
public final class DocumentFile {
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
    var all = UserDocuments.parse(bytes(file), label(file), values);
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

  /** The name of a file in messages. */
  public static String label(String file) {
    return file.equals("-") ? "stdin" : file;
  }

  /** The content of a file, or of the standard input. Throws {@link CommandException}. */
  public static byte[] bytes(String file) {
    if (!file.equals("-") && Files.isDirectory(Path.of(file)))
      throw CommandException.input(
          file + " is a folder; name the file in it, for example " + example(file));
    try {
      return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw CommandException.input(reason(file, e), e);
    }
  }

  private static String example(String folder) {
    try {
      return LocalFolders.children(Path.of(folder)).stream()
          .filter(f -> f.toString().matches(".*[.](ya?ml|json)"))
          .findFirst()
          .map(Path::toString)
          .orElse("job.yaml");
    } catch (IOException e) {
      return "job.yaml";
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
