package dev.mayfly.core.error;

import java.util.List;

/**
 * A message or a read names something that does not exist. The message that creates it may still
 * come.
 */
public final class UnknownNameException extends InvalidInputException {
  private static final long serialVersionUID = 1;

  public UnknownNameException(String path, String message) {
    super(List.of(new InputError(path, message)));
  }
}
