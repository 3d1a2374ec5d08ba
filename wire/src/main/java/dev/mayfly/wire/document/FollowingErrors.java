package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.wire.syntax.ProblemList;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which errors follow from others. A check that reads a wrong field says something untrue: a list
 * that was refused has no values, and a field that is not there cannot be too long.
 *
 * <p>An error follows if it is at, above or below a wrong field, beside one in the same object, or
 * about a field whose check reads the wrong one. A wrong field says nothing of others in a table of
 * users' own names.
 */
final class FollowingErrors {
  /** By field, what else its checks read. */
  private static final Map<String, String> READS =
      Map.of(
          "command", "tasks",
          "checkpoint", "tasks",
          "tasks.output", "tasks",
          "mirrors", "image",
          "reservation", "provisioning");

  /**
   * The objects whose fields no check compares: the document itself, and tables of users' names.
   */
  private static final Set<String> INDEPENDENT =
      Set.of("", "env", "secrets", "registries", "labels", "exitCodes", "prices");

  private FollowingErrors() {}

  /** Whether an error follows from one of these. */
  static Predicate<InputError> of(ProblemList causes) {
    var wrong = causes.first().stream().map(InputError::path).toList();
    return error -> wrong.stream().anyMatch(path -> follows(error.path(), path));
  }

  private static boolean follows(String path, String wrong) {
    return isWithin(path, wrong)
        || isWithin(wrong, path)
        || (above(path).equals(above(wrong)) && !INDEPENDENT.contains(lastName(above(path))))
        || READS.entrySet().stream()
            .anyMatch(check -> isWithin(path, check.getKey()) && isWithin(wrong, check.getValue()));
  }

  private static boolean isWithin(String path, String of) {
    return path.startsWith(of)
        && (path.length() == of.length() || ".[".indexOf(path.charAt(of.length())) >= 0);
  }

  /** The object or list that it is in; empty for the document. */
  private static String above(String path) {
    return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
