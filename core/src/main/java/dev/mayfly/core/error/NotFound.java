package dev.mayfly.core.error;

import java.util.List;

/** What a message names is not there. The message that makes it may still be on its way. */
public final class NotFound extends Invalid {
  private static final long serialVersionUID = 1;

  public NotFound(String path, String message) {
    super(List.of(new Problem(path, message)));
  }
}
