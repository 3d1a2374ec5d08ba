package dev.mayfly.core.text;

import dev.mayfly.core.model.job.Sentinel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern for names: {@code *} and {@code ?} stay within a folder, {@code **} does not, {@code
 * [a-c]} is one character of a range. {@code a/**}{@code /b} also matches {@code a/b}, as in Cloud
 * Storage's {@code matchGlob}. A sentinel never matches.
 *
 * <p>Patterns and names are untrusted, so a match never backtracks: it costs at most the pattern's
 * length for each character of the name.
 */
public final class Glob {
  private final String prefix;
  private final GlobPart[] parts;

  private Glob(String prefix, List<GlobPart> parts) {
    this.prefix = prefix;
    this.parts = parts.toArray(GlobPart[]::new);
  }

  /** Throws {@link IllegalArgumentException} for an unclosed range. */
  public static Glob of(String text) {
    var prefix = literal(text);
    var parts = new ArrayList<GlobPart>();
    for (var i = prefix.length(); i < text.length(); ) i = add(text, i, parts);
    return new Glob(prefix, parts);
  }

  /** Reads one part; returns where the next one begins. */
  private static int add(String text, int at, List<GlobPart> parts) {
    var c = text.codePointAt(at);
    switch (c) {
      case '*' -> {
        if (text.startsWith("**/", at) && (at == 0 || text.charAt(at - 1) == '/')) {
          parts.addAll(List.of(GlobPart.FOLDERS, GlobPart.PATH, GlobPart.literal('/')));
          return at + 3;
        }
        var deep = text.startsWith("**", at);
        parts.add(deep ? GlobPart.PATH : GlobPart.NAME);
        return deep ? at + 2 : at + 1;
      }
      case '?' -> parts.add(GlobPart.ONE);
      case '[' -> {
        var end = text.indexOf(']', at + 1);
        if (end < 0) throw new IllegalArgumentException("'" + text + "' has a [ that no ] closes");
        parts.add(GlobPart.range(text.substring(at + 1, end)));
        return end + 1;
      }
      default -> parts.add(GlobPart.literal(c));
    }
    return at + Character.charCount(c);
  }

  private static String literal(String text) {
    for (var i = 0; i < text.length(); i++)
      if ("*?[".indexOf(text.charAt(i)) >= 0) return text.substring(0, i);
    return text;
  }

  /** The literal beginning of every matching name. */
  public String prefix() {
    return prefix;
  }

  public boolean matches(String name) {
    return !name.endsWith(Sentinel.SUFFIX)
        && !name.endsWith("/")
        && name.startsWith(prefix)
        && rest(name);
  }

  /** Tracks all readings of the name at once: which parts may come next after each character. */
  private boolean rest(String name) {
    var next = new boolean[parts.length + 1];
    var now = begun();
    for (var i = prefix.length(); i < name.length(); ) {
      var c = name.codePointAt(i);
      if (!step(c, now, next)) return false;
      var was = now;
      now = next;
      next = was;
      i += Character.charCount(c);
    }
    return now[parts.length];
  }

  private boolean[] begun() {
    var begun = new boolean[parts.length + 1];
    begun[0] = true;
    skipEmpty(begun);
    return begun;
  }

  /** Returns whether any reading is left. */
  private boolean step(int c, boolean[] now, boolean[] next) {
    Arrays.fill(next, false);
    var any = false;
    for (var i = 0; i < parts.length; i++)
      if (now[i] && parts[i].takes(c)) {
        next[parts[i].repeats() ? i : i + 1] = true;
        any = true;
      }
    skipEmpty(next);
    return any;
  }

  /** A part that repeats may match nothing. */
  private void skipEmpty(boolean[] ways) {
    for (var i = 0; i < parts.length; i++)
      if (ways[i] && parts[i].repeats()) {
        ways[i + 1] = true;
        if (parts[i].equals(GlobPart.FOLDERS)) ways[i + 3] = true;
      }
  }
}
