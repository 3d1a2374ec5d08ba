package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;

/**
 * {@code rejections/{messageId}}: a refused message with its errors, or one that is still tried
 * though it ended its function again and again.
 *
 * @param about the kind and name as far as they could be read, for people
 * @param excerpt the first 500 characters
 * @param attempts how often it was tried in vain so far, if it is still tried; 0 once it is refused
 *     for good, {@link #GIVEN_UP} after too many attempts
 */
public record RejectedMessage(
    String message, Instant at, String about, List<String> errors, String excerpt, int attempts)
    implements LedgerDocument {
  public static final int GIVEN_UP = -1;

  public RejectedMessage {
    errors = List.copyOf(errors);
  }

  /** For good. */
  public RejectedMessage(
      String message, Instant at, String about, List<String> errors, String excerpt) {
    this(message, at, about, errors, excerpt, 0);
  }

  /** Whether it may yet be taken. */
  public boolean isRetried() {
    return attempts > 0;
  }

  @Override
  public DocumentKey.OfRejectedMessage key() {
    return new DocumentKey.OfRejectedMessage(message);
  }
}
