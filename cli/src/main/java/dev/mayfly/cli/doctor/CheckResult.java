package dev.mayfly.cli.doctor;

import dev.mayfly.cli.error.CommandExitCode;
import java.util.List;
import java.util.Optional;

/**
 * One thing that was looked at.
 *
 * @param verdict by who can mend it
 * @param remedy the command to run, whole
 */
record CheckResult(String about, Verdict verdict, String text, Optional<String> remedy) {
  /** What it means. */
  public enum Verdict {
    OK,
    /** Fine, or not wanted by everybody. */
    NOTE,
    /** Whoever deploys mends it with the remedy. */
    WRONG,
    /** Whoever grants rights. */
    DENIED
  }

  static CheckResult ok(String about, String text) {
    return new CheckResult(about, Verdict.OK, text, Optional.empty());
  }

  static CheckResult note(String about, String text, String remedy) {
    return new CheckResult(about, Verdict.NOTE, text, Optional.of(remedy));
  }

  static CheckResult wrong(String about, String text, String remedy) {
    return new CheckResult(about, Verdict.WRONG, text, Optional.of(remedy));
  }

  static CheckResult denied(String about, String text, String remedy) {
    return new CheckResult(about, Verdict.DENIED, text, Optional.of(remedy));
  }

  /** The command that turns an API on. */
  static String enableCommand(String api, String project) {
    return "gcloud services enable " + api + ".googleapis.com --project=" + project;
  }

  /** Rights come first: without them, what else is wrong may not have been seen. */
  public static CommandExitCode exitCode(List<CheckResult> checkResults) {
    var verdicts = checkResults.stream().map(CheckResult::verdict).toList();
    if (verdicts.contains(Verdict.DENIED)) return CommandExitCode.DENIED;
    return verdicts.contains(Verdict.WRONG) ? CommandExitCode.INPUT : CommandExitCode.OK;
  }
}
