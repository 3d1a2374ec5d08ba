package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code setup} of a job or a cluster, and its short form {@code python}. */
final class SetupReader {
  private static final String VERSION = "[0-9]{1,2}(\\.[0-9]{1,3}){0,2}";

  private final FieldReader fieldReader;

  SetupReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  /** A job's setup, whose files must be in the job's code. */
  Optional<SetupSpec> setupWithCode() {
    var setup = setup();
    if (setup.isPresent()
        && !setup.get().files().isEmpty()
        && fieldReader.mapping().get("code").isEmpty())
      fieldReader.addProblem(
          isPython() ? "python.requirements" : "setup.key",
          "names " + setup.get().files().getFirst() + ", but the job has no code; write code: .");
    return setup;
  }

  Optional<SetupSpec> setup() {
    var isSetup = fieldReader.mapping().get("setup").isPresent();
    if (isSetup && isPython())
      fieldReader.addProblem(
          "python", "is a short form of setup; keep one of them, or call uv or pip in setup");
    if (isPython()) return Optional.of(python(fieldReader.child("python")));
    return isSetup ? Optional.of(command(fieldReader.child("setup"))) : Optional.empty();
  }

  private boolean isPython() {
    return fieldReader.mapping().get("python").isPresent();
  }

  private static SetupSpec python(FieldReader python) {
    var requirements = python.text("requirements");
    requirements.ifPresent(file -> checkFile(python, "requirements", file));
    var version = python.scalarText("version");
    if (!version.orElse("3").matches(VERSION))
      python.addProblem(
          "version", "'" + version.get() + "' is not a version of Python; write it as 3.12");
    if (requirements.isEmpty() && version.isEmpty())
      python.addProblem(
          "requirements", "is missing; write requirements: requirements.txt, a version, or both");
    return new SetupSpec(
        List.of(),
        requirements.stream().toList(),
        timeout(python),
        python.flag("store"),
        Optional.of(new SetupSpec.Python(requirements, version)));
  }

  private static SetupSpec command(FieldReader setup) {
    var files = setup.texts("key");
    for (var i = 0; i < files.size(); i++) checkFile(setup, "key[" + i + "]", files.get(i));
    return new SetupSpec(argv(setup), files, timeout(setup), setup.flag("store"), Optional.empty());
  }

  /** A text is a script for the shell, a list the program and its arguments. */
  private static List<String> argv(FieldReader setup) {
    var argv = new ArrayList<String>();
    setup.text("script").ifPresent(script -> argv.addAll(List.of("sh", "-eu", "-c", script)));
    if (setup.mapping().get("command").isPresent()) {
      if (!argv.isEmpty()) setup.addProblem("command", "stands beside script; keep one of them");
      for (SyntaxNode word : setup.list("command")) FieldReader.scalar(word).ifPresent(argv::add);
    }
    if (argv.isEmpty() || argv.getFirst().isBlank())
      setup.addProblem("command", "names no program; write command: [sh, setup.sh], or a script");
    if (argv.stream().anyMatch(word -> word.indexOf('\0') >= 0))
      setup.addProblem("command", "has a NUL character in it, which no process can be given");
    return argv;
  }

  private static Duration timeout(FieldReader setup) {
    return setup.duration(
        "timeout", SetupSpec.TIMEOUT, Duration.ofSeconds(1), Duration.ofHours(12));
  }

  /** A path below the job's code. */
  private static void checkFile(FieldReader of, String field, String file) {
    var steps = List.of(file.split("/", -1));
    if (steps.contains("")
        || steps.contains(".")
        || steps.contains("..")
        || file.indexOf('\0') >= 0)
      of.addProblem(
          field,
          "'" + file + "' is not a file of the code; write its path from there on, as src/a.txt");
  }
}
