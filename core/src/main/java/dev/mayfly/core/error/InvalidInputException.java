package dev.mayfly.core.error;

import java.util.List;
import java.util.stream.Collectors;

/** All errors of a user's input at once. A retry without a change cannot help. */
public sealed class InvalidInputException extends MayflyException permits UnknownNameException {
  private static final long serialVersionUID = 1;

  private final transient List<InputError> inputErrors;

  public InvalidInputException(List<InputError> inputErrors) {
    super(inputErrors.stream().map(InputError::toString).collect(Collectors.joining("\n")), null);
    this.inputErrors = List.copyOf(inputErrors);
  }

  public InvalidInputException(String path, String message) {
    this(List.of(new InputError(path, message)));
  }

  public List<InputError> problems() {
    return inputErrors;
  }
}
