package dev.mayfly.core.job;

import dev.mayfly.core.model.Sentinel;
import java.util.regex.Pattern;

/**
 * Which names a pattern means: {@code *} and {@code ?} stay within a folder, {@code **} does not,
 * {@code [a-c]} is one of a range. A sentinel never matches.
 */
public final class Glob {
  private final String prefix;
  private final Pattern pattern;

  private Glob(String prefix, Pattern pattern) {
    this.prefix = prefix;
    this.pattern = pattern;
  }

  /** Throws {@link IllegalArgumentException} for a range that is not closed. */
  public static Glob of(String text) {
    var regex = new StringBuilder();
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      switch (c) {
        case '*' -> {
          var deep = i + 1 < text.length() && text.charAt(i + 1) == '*';
          if (deep) i++;
          regex.append(deep ? ".*" : "[^/]*");
        }
        case '?' -> regex.append("[^/]");
        case '[' -> {
          var end = text.indexOf(']', i + 1);
          if (end < 0)
            throw new IllegalArgumentException("'" + text + "' has a [ that no ] closes");
          regex.append(range(text.substring(i + 1, end)));
          i = end;
        }
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return new Glob(literal(text), Pattern.compile(regex.toString(), Pattern.DOTALL));
  }

  private static String range(String inside) {
    var not = inside.startsWith("!") || inside.startsWith("^");
    var set =
        (not ? inside.substring(1) : inside)
            .replace("\\", "\\\\")
            .replace("[", "\\[")
            .replace("&", "\\&");
    if (set.isEmpty()) throw new IllegalArgumentException("a pattern has an empty []");
    return "[" + (not ? "^/" : "") + set.replace("^", "\\^") + "]";
  }

  private static String literal(String text) {
    for (var i = 0; i < text.length(); i++)
      if ("*?[".indexOf(text.charAt(i)) >= 0) return text.substring(0, i);
    return text;
  }

  /** What every name that matches begins with. */
  public String prefix() {
    return prefix;
  }

  public boolean matches(String name) {
    return !name.endsWith(Sentinel.SUFFIX)
        && !name.endsWith("/")
        && pattern.matcher(name).matches();
  }
}
