package dev.mayfly.cli.doctor;

import dev.mayfly.cli.error.CommandExitCode;
import java.util.List;
import java.util.Optional;

/**
 * The result of one check.
 *
 * @param verdict by who can fix it
 * @param remedy the complete command to run
 */
record CheckResult(String about, Verdict verdict, String text, Optional<String> remedy) {
  /** The result's severity. */
  public enum Verdict {
    OK,
    /** Fine, or optional. */
    NOTE,
    /** The user can fix it with the remedy. */
    WRONG,
    /** An administrator must grant rights. */
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

  /** The command that enables an API. */
  static String enableCommand(String api, String project) {
    return "gcloud services enable " + api + ".googleapis.com --project=" + project;
  }

  /** The command that grants a role on the project. */
  static String grantCommand(String role, String project) {
    return "gcloud projects add-iam-policy-binding "
        + project
        + " --member=user:YOU --condition=None --role="
        + role;
  }

  /** DENIED has precedence: without rights, other problems may be invisible. */
  public static CommandExitCode exitCode(List<CheckResult> checkResults) {
    var verdicts = checkResults.stream().map(CheckResult::verdict).toList();
    if (verdicts.contains(Verdict.DENIED)) return CommandExitCode.DENIED;
    return verdicts.contains(Verdict.WRONG) ? CommandExitCode.INPUT : CommandExitCode.OK;
  }
}
