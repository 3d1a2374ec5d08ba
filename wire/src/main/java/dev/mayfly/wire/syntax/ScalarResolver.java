package dev.mayfly.wire.syntax;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Resolves plain scalars: JSON's literals, and {@code ~} for null. All else is text, so that {@code
 * no}, {@code 007}, {@code 0x1F}, {@code 1e9} and {@code 1:30} reach a command as written.
 */
final class ScalarResolver {
  private static final Pattern NOTHING = Pattern.compile("null|~|");
  private static final Pattern BOOLEAN = Pattern.compile("true|false");

  /** Only numbers that are written back unchanged: no exponents, no negative zero. */
  private static final Pattern NUMBER =
      Pattern.compile("(?!-0(\\.0+)?$)-?(0|[1-9]\\d{0,17})(\\.\\d{1,18})?");

  private ScalarResolver() {}

  static SyntaxNode resolve(String text, int line) {
    if (NOTHING.matcher(text).matches()) return new SyntaxNode.Null(line);
    if (BOOLEAN.matcher(text).matches())
      return new SyntaxNode.Literal(Boolean.parseBoolean(text), text, line);
    if (NUMBER.matcher(text).matches())
      return new SyntaxNode.Literal(new BigDecimal(text), text, line);
    return new SyntaxNode.Text(text, line);
  }
}
