package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.SetupSpec;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds files of the code that a setup's script gives to an installer and that its key does not
 * name: when they change, the old setup is taken as if nothing had.
 *
 * <p><b>Must:</b> only warn, because a script is not run to see what it reads.
 */
final class UnkeyedFiles {
  private static final Pattern INSTALLER = Pattern.compile("\\b(pip3?|conda|mamba|micromamba)\\s");

  private static final Pattern FILE =
      Pattern.compile(
          "\\s(?:-r|--requirement|--constraint|-f|--file)[ =]\\s*['\"]?([\\w.][\\w./-]*)");

  /** The code's own folder as a package, also as an editable one. */
  private static final Pattern FOLDER =
      Pattern.compile("\\sinstall\\s(?:[^;&|]*\\s)?['\"]?(\\./?)(?=['\"\\[;&|\\s]|$)");

  private UnkeyedFiles() {}

  /** A warning for each such file, with the document's field. */
  static List<InputError> of(Optional<SetupSpec> setup) {
    if (setup.isEmpty() || setup.get().python().isPresent()) return List.of();
    var spec = setup.get();
    return String.join("\n", spec.command())
        .replace("\\\n", " ")
        .lines()
        .filter(line -> INSTALLER.matcher(line).find())
        .flatMap(line -> unkeyed(line, spec).stream())
        .distinct()
        .toList();
  }

  private static List<InputError> unkeyed(String line, SetupSpec spec) {
    var files =
        FILE.matcher(line)
            .results()
            .map(found -> found.group(1).replaceFirst("^\\./", ""))
            .filter(file -> !spec.files().contains(file))
            .map(UnkeyedFiles::warning);
    var folder =
        spec.files().isEmpty() && FOLDER.matcher(line).find()
            ? List.of(warning("pyproject.toml"))
            : List.<InputError>of();
    return Stream.concat(files, folder.stream()).toList();
  }

  private static InputError warning(String file) {
    return new InputError(
        "setup.key",
        "does not name %s, which the setup reads: when that file changes, machines that have the old setup go on using it; write key: [%s]"
            .formatted(file, file));
  }
}
