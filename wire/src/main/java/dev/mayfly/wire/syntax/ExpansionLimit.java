package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InvalidInputException;

/**
 * Limits the expansion of defaults, variables and aliases in one message, where a few bytes may
 * stand for gigabytes. Counts during substitution and stops before memory is full.
 */
public final class ExpansionLimit {
  private long characters;
  private long values;

  void add(SyntaxNode syntaxNode) {
    values++;
    if (values > DocumentLimits.VALUES)
      throw new InvalidInputException(
          "",
          "is more than %,d values once defaults and variables are put in; make it several messages"
              .formatted(DocumentLimits.VALUES));
    if (syntaxNode instanceof SyntaxNode.Text text) addText(text.value().length());
  }

  void addText(int length) {
    characters += length;
    if (characters > DocumentLimits.EXPANDED)
      throw new InvalidInputException(
          "",
          "is more than %d KB of text once defaults and variables are put in; use smaller values, or make it several messages"
              .formatted(DocumentLimits.EXPANDED / 1024));
  }
}
