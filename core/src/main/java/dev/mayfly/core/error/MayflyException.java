package dev.mayfly.core.error;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A known failure, classified by who can fix it; every other exception is a bug. */
public abstract sealed class MayflyException extends RuntimeException
    permits InvalidInputException, DeniedException, UnavailableException {
  private static final long serialVersionUID = 1;

  MayflyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return requireNonNull(super.getMessage());
  }
}
