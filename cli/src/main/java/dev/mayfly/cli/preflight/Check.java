package dev.mayfly.cli.preflight;

import dev.mayfly.cli.exit.Exit;
import java.util.List;
import java.util.Optional;

/**
 * One thing that was looked at.
 *
 * @param verdict by who can mend it
 * @param remedy the command to run, whole
 */
public record Check(String about, Verdict verdict, String text, Optional<String> remedy) {
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

  static Check ok(String about, String text) {
    return new Check(about, Verdict.OK, text, Optional.empty());
  }

  static Check note(String about, String text, String remedy) {
    return new Check(about, Verdict.NOTE, text, Optional.of(remedy));
  }

  static Check wrong(String about, String text, String remedy) {
    return new Check(about, Verdict.WRONG, text, Optional.of(remedy));
  }

  static Check denied(String about, String text, String remedy) {
    return new Check(about, Verdict.DENIED, text, Optional.of(remedy));
  }

  /** The command that turns an API on. */
  static String turnOn(String api, String project) {
    return "gcloud services enable " + api + ".googleapis.com --project=" + project;
  }

  /** Rights come first: without them, what else is wrong may not have been seen. */
  public static Exit exit(List<Check> checks) {
    var verdicts = checks.stream().map(Check::verdict).toList();
    if (verdicts.contains(Verdict.DENIED)) return Exit.DENIED;
    return verdicts.contains(Verdict.WRONG) ? Exit.INPUT : Exit.OK;
  }
}
