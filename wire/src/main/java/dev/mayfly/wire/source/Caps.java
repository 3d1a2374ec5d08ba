package dev.mayfly.wire.source;

/** How much one message or file may hold, checked before anything is expanded. */
public final class Caps {
  /** Of a message, and of each document as it is published. */
  public static final int BYTES = 256 * 1024;

  public static final int DOCUMENTS = 100;
  public static final int NESTING = 50;
  public static final int ALIASES = 50;

  /** Values in all documents together, those that aliases stand for included. */
  public static final int VALUES = 100_000;

  private Caps() {}
}
