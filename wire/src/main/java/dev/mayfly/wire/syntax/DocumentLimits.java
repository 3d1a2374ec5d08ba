package dev.mayfly.wire.syntax;

/** The limits of one message or file, checked before anything is expanded. */
public final class DocumentLimits {
  /** The bytes of a message, and of each published document. */
  public static final int BYTES = 256 * 1024;

  public static final int DOCUMENTS = 100;
  public static final int NESTING = 50;
  public static final int ALIASES = 50;

  /** The values in all documents together, including expanded aliases. */
  public static final int VALUES = 100_000;

  /** The fields of one object. */
  public static final int FIELDS = 1_000;

  /** The characters of a field's name, which every problem below it repeats. */
  public static final int NAME = 200;

  /** The characters in all documents together, with defaults, variables and aliases applied. */
  public static final int EXPANDED = 4 * BYTES;

  private DocumentLimits() {}
}
