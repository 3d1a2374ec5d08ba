package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;

/**
 * {@code rejections/{messageId}}: a rejected message with its errors, or one that is still retried
 * although it crashed its function repeatedly.
 *
 * @param about the kind and name as far as they could be read, for people
 * @param excerpt the first 500 characters
 * @param attempts failed attempts so far if it is still retried; 0 once it is rejected, {@link
 *     #GIVEN_UP} after too many attempts
 */
public record RejectedMessage(
    String message, Instant at, String about, List<String> errors, String excerpt, int attempts)
    implements LedgerDocument {
  public static final int GIVEN_UP = -1;

  public RejectedMessage {
    errors = List.copyOf(errors);
  }

  /** A message that was rejected for good. */
  public RejectedMessage(
      String message, Instant at, String about, List<String> errors, String excerpt) {
    this(message, at, about, errors, excerpt, 0);
  }

  /** Whether it may still be accepted. */
  public boolean isRetried() {
    return attempts > 0;
  }

  @Override
  public DocumentKey.OfRejectedMessage key() {
    return new DocumentKey.OfRejectedMessage(message);
  }
}
