package dev.mayfly.wire.syntax;

/** How much one message or file may hold, checked before anything is expanded. */
public final class DocumentLimits {
  /** Of a message, and of each document as it is published. */
  public static final int BYTES = 256 * 1024;

  public static final int DOCUMENTS = 100;
  public static final int NESTING = 50;
  public static final int ALIASES = 50;

  /** Values in all documents together, those that aliases stand for included. */
  public static final int VALUES = 100_000;

  /** Fields of one object. */
  public static final int FIELDS = 1_000;

  /** Characters of a field's name: they come again in the place of every problem below it. */
  public static final int NAME = 200;

  /** Characters in all documents together, once defaults, variables and aliases are put in. */
  public static final int EXPANDED = 4 * BYTES;

  private DocumentLimits() {}
}
