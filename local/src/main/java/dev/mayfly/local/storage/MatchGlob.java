package dev.mayfly.local.storage;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mayfly.local.http.ApiError;

/**
 * The service's patterns for names: {@code *} and {@code ?} stay within a folder, {@code **} does
 * not, {@code [a-c]} and {@code [!a-c]} are sets, {@code {a,b}} is one of several, and a backslash
 * escapes a character.
 *
 * <p>Patterns come from tasks. RE2/J matches in time linear in the name, while the JDK's
 * expressions may backtrack without bound.
 */
record MatchGlob(Pattern pattern) {
  private static final int LONGEST = 1_024;

  /** Throws {@link ApiError} for an invalid pattern. */
  static MatchGlob of(String glob) {
    if (glob.length() > LONGEST)
      throw ApiError.invalid("Invalid glob: longer than " + LONGEST + " characters");
    try {
      return new MatchGlob(Pattern.compile(regex(glob), Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw ApiError.invalid("Invalid glob: '" + glob + "': " + e.getDescription());
    }
  }

  boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  private static String regex(String glob) {
    var regex = new StringBuilder();
    var braces = 0;
    for (var i = 0; i < glob.length(); i++) {
      var c = glob.charAt(i);
      switch (c) {
        case '*' -> {
          var deep = i + 1 < glob.length() && glob.charAt(i + 1) == '*';
          // a/**/b also matches a/b.
          var folders =
              deep && glob.startsWith("/", i + 2) && (i == 0 || glob.charAt(i - 1) == '/');
          regex.append(folders ? "(?:.*/)?" : deep ? ".*" : "[^/]*");
          i += folders ? 2 : deep ? 1 : 0;
        }
        case '?' -> regex.append("[^/]");
        case '[' -> i = set(glob, i, regex);
        case '{' -> {
          braces++;
          regex.append("(?:");
        }
        case '}' -> regex.append(braces-- > 0 ? ")" : "\\}");
        case ',' -> regex.append(braces > 0 ? "|" : ",");
        case '\\' ->
            regex.append(Pattern.quote(i + 1 < glob.length() ? glob.substring(++i, i + 1) : "\\"));
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }

  /** The end of the set. */
  private static int set(String glob, int from, StringBuilder regex) {
    var end = glob.indexOf(']', from + 2);
    if (end < 0) throw ApiError.invalid("Invalid glob: '" + glob + "' has a [ that no ] closes");
    var inside = glob.substring(from + 1, end);
    var not = inside.startsWith("!") || inside.startsWith("^");
    var members = (not ? inside.substring(1) : inside).replaceAll("[\\\\\\[&^]", "\\\\$0");
    regex.append(not ? "[^/" : "[").append(members).append(']');
    return end;
  }
}
