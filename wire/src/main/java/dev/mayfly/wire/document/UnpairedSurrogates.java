package dev.mayfly.wire.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;

/**
 * Refuses unpaired surrogates in any text of a document: JSON and YAML can write one half of a
 * surrogate pair, and UTF-8, in which every text reaches its task or is stored, cannot.
 */
final class UnpairedSurrogates {
  private static final int SHOWN = 40;

  private UnpairedSurrogates() {}

  static void check(SyntaxNode node, String path, ProblemList problems) {
    switch (node) {
      case SyntaxNode.Mapping(var fields, _) ->
          fields.forEach((name, value) -> {
            check(name, path, problems);
            check(value, path.isEmpty() ? name : path + "." + name, problems);
          });
      case SyntaxNode.Sequence(var items, _) -> {
        for (var i = 0; i < items.size(); i++) check(items.get(i), path + "[" + i + "]", problems);
      }
      case SyntaxNode.Text(var value, _) -> check(value, path, problems);
      case SyntaxNode.Literal _, SyntaxNode.Null _ -> {}
    }
  }

  private static void check(String text, String path, ProblemList problems) {
    if (text.codePoints().noneMatch(UnpairedSurrogates::isHalf)) return;
    problems.add(
        new InputError(
            path,
            "has an unpaired surrogate in '%s', half of a character; write both of its \\u escapes"
                .formatted(shown(text))));
  }

  private static boolean isHalf(int c) {
    return Character.getType(c) == Character.SURROGATE;
  }

  /** The beginning of the text up to the half, which is written as its escape. */
  private static String shown(String text) {
    var points = text.codePoints().boxed().toList();
    var at = 0;
    while (!isHalf(points.get(at))) at++;
    var from = Math.max(0, at - SHOWN);
    var before = new StringBuilder();
    points.subList(from, at).forEach(before::appendCodePoint);
    return (from > 0 ? "…" : "")
        + before
        + "\\u%04x".formatted(points.get(at))
        + (at + 1 < points.size() ? "…" : "");
  }
}
