package dev.mayfly.arch.value;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A call in a source text.
 *
 * @param line where it begins, from 1
 * @param arguments their texts
 */
record CallArguments(int line, List<String> arguments) {
  /** What opens a comment or a literal, and all of it. */
  private static final Pattern OPAQUE =
      Pattern.compile(
          "//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'",
          Pattern.DOTALL);

  /** The calls of what {@code name} matches, with its opening parenthesis. */
  static Stream<CallArguments> of(String text, Pattern name) {
    var code = OPAQUE.matcher(text).replaceAll(it -> opaque(it.group()));
    return name.matcher(code)
        .results()
        .map(it -> new CallArguments(line(code, it.start()), arguments(code, it.end())));
  }

  private static int line(String code, int at) {
    return 1 + (int) code.substring(0, at).chars().filter(c -> c == '\n').count();
  }

  /** As many lines, for the numbers of the others. */
  private static String opaque(String literal) {
    var lines = "\n".repeat((int) literal.lines().count() - 1);
    return literal.startsWith("/") ? lines : "\"x\"" + lines;
  }

  private static List<String> arguments(String code, int from) {
    var arguments = new ArrayList<String>();
    var depth = 0;
    var begin = from;
    for (var at = from; ; at++) {
      var c = code.charAt(at);
      if ("([{".indexOf(c) >= 0) depth++;
      if (depth == 0 && (c == ',' || c == ')')) {
        arguments.add(code.substring(begin, at).strip());
        begin = at + 1;
        if (c == ')') return arguments;
      }
      if (")]}".indexOf(c) >= 0) depth--;
    }
  }
}
