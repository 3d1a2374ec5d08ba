package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;

/**
 * {@code rejections/{messageId}}: a refused message with its errors.
 *
 * @param about the kind and name as far as they could be read, for people
 * @param excerpt the first 500 characters
 */
public record Rejection(
    String message, Instant at, String about, List<String> errors, String excerpt)
    implements Document {
  public Rejection {
    errors = List.copyOf(errors);
  }

  @Override
  public Key.OfRejection key() {
    return new Key.OfRejection(message);
  }
}
