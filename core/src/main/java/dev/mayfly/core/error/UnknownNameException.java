package dev.mayfly.core.error;

import java.util.List;

/** What a message names is not there. The message that makes it may still be on its way. */
public final class UnknownNameException extends InvalidInputException {
  private static final long serialVersionUID = 1;

  public UnknownNameException(String path, String message) {
    super(List.of(new InputError(path, message)));
  }
}
