package dev.mayfly.core.plan;

import dev.mayfly.core.error.InputError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Finds variables that are named like secrets and have their value in the document, where everybody
 * reads it who may see the job.
 *
 * <p><b>Must:</b> only warn, because a name proves nothing; never repeat the value.
 *
 * <p><b>Goals:</b> say nothing of words of a vocabulary ({@code PAD_TOKEN}), of files and of
 * templates.
 */
public final class SecretsInClear {
  private static final Pattern NAME =
      Pattern.compile(
          "(?i)(.*_)?(PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIALS?|API_?KEY|ACCESS_KEY|SECRET_KEY"
              + "|PRIVATE_KEY|AUTH_KEY|TOKEN)");

  /** Tokens of services are longer; those of vocabularies are not. */
  private static final Pattern VALUE = Pattern.compile("[^/<\\[{}\\s][^{}\\s]{11,}");

  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+]*://.*");

  private SecretsInClear() {}

  /** A warning for each such variable, with the document's field. */
  public static List<InputError> of(Map<String, String> env) {
    return new TreeMap<>(env)
        .entrySet().stream()
            .filter(it -> NAME.matcher(it.getKey()).matches())
            .filter(it -> VALUE.matcher(it.getValue()).matches())
            .filter(it -> !ADDRESS.matcher(it.getValue()).matches())
            .map(it -> warning(it.getKey()))
            .toList();
  }

  private static InputError warning(String name) {
    return new InputError(
        "env." + name,
        "is named like a secret, and whoever can read this document sees its value; store the value in Secret Manager and write secrets: {%s: ITS NAME THERE} instead"
            .formatted(name));
  }
}
