package dev.mayfly.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes out of texts what nobody else may read: values of the environment, and what looks like a
 * token or a signature. Remembers what it took out, but not its value.
 *
 * <p>Secrets are references in all documents, so their values are nowhere; a job may have printed
 * them, but agents mask what they know.
 */
final class ReportSecrets {
  private static final String CUT = "(left out)";

  /** A shorter value is likely to be an ordinary word, and is left out beside its name only. */
  private static final int TELLING = 6;

  /** What is left out of any text, by what it is called; of each the first group stays. */
  private static final Map<String, Pattern> SHAPES = shapes();

  private final Map<String, String> environment = new TreeMap<>();
  private final Map<String, Integer> found = new LinkedHashMap<>();

  private static Map<String, Pattern> shapes() {
    var shapes = new LinkedHashMap<String, Pattern>();
    shapes.put(
        "a signature or token in a URL",
        Pattern.compile(
            "([?&](?:[A-Za-z-]*(?:signature|token|credential|secret|password)|sig|api_?key|key)=)"
                + "[^&\\s\"'\\\\]+",
            Pattern.CASE_INSENSITIVE));
    shapes.put(
        "a password in a URL",
        Pattern.compile("([a-z][a-z0-9+.-]*://[^\\s/:@\"]+:)[^\\s/@\"]+(?=@)"));
    shapes.put(
        "a token of a request", Pattern.compile("(\\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{12,}"));
    shapes.put(
        "a token by its form",
        Pattern.compile(
            "()(?:\\bya29\\.[\\w.-]+|\\beyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*|\\bgh[opsu]_\\w{20,}"
                + "|\\bhf_\\w{20,}|\\bsk-[\\w-]{20,}|\\bAKIA[0-9A-Z]{16}|\\bAIza[\\w-]{35})"));
    shapes.put(
        "a private key",
        Pattern.compile("(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*", Pattern.DOTALL));
    shapes.put(
        "a value that is called a secret",
        Pattern.compile(
            "(\\b[A-Za-z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIALS)[A-Za-z0-9_]*"
                + "[=:] ?)[^\\s\"',;}\\\\]+",
            Pattern.CASE_INSENSITIVE));
    return shapes;
  }

  /** Values of the environment, which are left out from now on. */
  void addEnvironment(Map<String, String> variables) {
    environment.putAll(variables);
  }

  /** The text without them. */
  String without(String text) {
    var out = text;
    for (var variable : environment.entrySet()) out = without(out, variable);
    for (var shape : SHAPES.entrySet()) {
      var matcher = shape.getValue().matcher(out);
      var left = new StringBuilder();
      while (matcher.find()) {
        if (matcher.group().endsWith(CUT)) continue;
        count(shape.getKey());
        matcher.appendReplacement(left, "$1" + Matcher.quoteReplacement(CUT));
      }
      out = matcher.appendTail(left).toString();
    }
    return out;
  }

  private String without(String text, Map.Entry<String, String> variable) {
    var name = variable.getKey();
    var value = variable.getValue();
    if (value.isEmpty()) return text;
    var written = json(value);
    var out = replaced(text, json(name) + ":" + written, json(name) + ":\"" + CUT + "\"", name);
    if (value.length() < TELLING) return out;
    out = replaced(out, written.substring(1, written.length() - 1), CUT, name);
    return replaced(out, value, CUT, name);
  }

  private String replaced(String text, String value, String by, String name) {
    var out = text.replace(value, by);
    if (!out.equals(text)) count("the value of " + name + " in the environment");
    return out;
  }

  /** Alone, a string has no JSON. */
  private record Text(String text) {}

  private static String json(String value) {
    return new String(Wire.shared().json(new Text(value)), UTF_8)
        .strip()
        .replaceFirst("^\\{\"text\":", "")
        .replaceFirst("}$", "");
  }

  private void count(String what) {
    found.merge(what, 1, Integer::sum);
  }

  /** What was left out so far, a line each. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    found.forEach((what, n) -> lines.add(what + ": " + HumanFormat.count(n, "time")));
    return lines;
  }
}
