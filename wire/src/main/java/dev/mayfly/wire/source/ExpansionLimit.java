package dev.mayfly.wire.source;

import dev.mayfly.core.error.Invalid;

/**
 * Bounds what defaults, variables and aliases make of one message: a few bytes may stand for
 * gigabytes. It counts while values are put in, and stops before they fill the memory.
 */
public final class ExpansionLimit {
  private long characters;
  private long values;

  void add(Node node) {
    values++;
    if (values > Caps.VALUES)
      throw new Invalid(
          "",
          "is more than %,d values once defaults and variables are put in; make it several messages"
              .formatted(Caps.VALUES));
    if (node instanceof Node.Text text) addText(text.value().length());
  }

  void addText(int length) {
    characters += length;
    if (characters > Caps.EXPANDED)
      throw new Invalid(
          "",
          "is more than %d KB of text once defaults and variables are put in; use smaller values, or make it several messages"
              .formatted(Caps.EXPANDED / 1024));
  }
}
