package dev.mayfly.core.error;

/**
 * A document is there and cannot be read. What is in it is unknown, which is never the same as
 * absent. It is mended by hand, or by the version of Mayfly that wrote it.
 */
public final class UnreadableDocumentException extends UnavailableException {
  private static final long serialVersionUID = 1;

  private final transient UnreadableDocument document;

  public UnreadableDocumentException(UnreadableDocument document) {
    super(document.toString());
    this.document = document;
  }

  public UnreadableDocument document() {
    return document;
  }
}
