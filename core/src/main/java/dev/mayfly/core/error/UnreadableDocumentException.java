package dev.mayfly.core.error;

/**
 * A document exists and cannot be read. Its content is unknown, which never counts as absent. It is
 * fixed by hand, or by the version of Mayfly that wrote it.
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
