package dev.mayfly.local.storage;

import java.util.regex.Pattern;

/**
 * Evaluates a condition of IAM on a resource's name, as far as {@code access.json} uses its
 * language: {@code startsWith}, {@code endsWith}, {@code extract}, comparisons and logic. Throws
 * for anything else.
 */
final class IamCondition {
  private static final Pattern CALL =
      Pattern.compile("resource\\.name\\.(startsWith|endsWith|extract)\\(\"([^\"]*)\"\\)");
  private static final Pattern COMPARED = Pattern.compile("\\s*(==|!=) \"([^\"]*)\"");

  private final String text;
  private final String resource;
  private int at;

  private IamCondition(String text, String resource) {
    this.text = text;
    this.resource = resource;
  }

  /** Whether the condition holds for a resource of this name. */
  static boolean holds(String text, String resource) {
    var condition = new IamCondition(text, resource);
    var value = condition.any();
    if (condition.at != text.length()) throw condition.unknown();
    return value;
  }

  private boolean any() {
    var value = all();
    while (takes(" || ")) {
      var next = all(); // read it whatever the value is
      value = value || next;
    }
    return value;
  }

  private boolean all() {
    var value = one();
    while (takes(" && ")) {
      var next = one();
      value = value && next;
    }
    return value;
  }

  private boolean one() {
    if (takes("!")) return !one();
    if (takes("(")) {
      var value = any();
      if (!takes(")")) throw unknown();
      return value;
    }
    var call = CALL.matcher(text).region(at, text.length());
    if (!call.lookingAt()) throw unknown();
    at = call.end();
    return switch (call.group(1)) {
      case "startsWith" -> resource.startsWith(call.group(2));
      case "endsWith" -> resource.endsWith(call.group(2));
      default -> compared(extract(call.group(2)));
    };
  }

  private boolean compared(String value) {
    var operator = COMPARED.matcher(text).region(at, text.length());
    if (!operator.lookingAt()) throw unknown();
    at = operator.end();
    return operator.group(1).equals("==") == value.equals(operator.group(2));
  }

  /** What is between the two parts of the template, at their first places; empty if it has none. */
  private String extract(String template) {
    var parts = template.split("\\{[a-z]+}", -1);
    var from = resource.indexOf(parts[0]);
    if (from < 0) return "";
    var begin = from + parts[0].length();
    var end = resource.indexOf(parts[1], begin);
    return end < 0 ? "" : resource.substring(begin, end);
  }

  private boolean takes(String word) {
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  private AssertionError unknown() {
    return new AssertionError(
        text + ": say in IamCondition what this means: " + text.substring(at));
  }
}
