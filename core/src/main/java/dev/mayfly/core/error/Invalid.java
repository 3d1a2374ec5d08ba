package dev.mayfly.core.error;

import java.util.List;
import java.util.stream.Collectors;

/** The user can mend it: all that is wrong, at once. Trying again without a change cannot help. */
public sealed class Invalid extends MayflyException permits NotFound {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public Invalid(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")), null);
    this.problems = List.copyOf(problems);
  }

  public Invalid(String path, String message) {
    this(List.of(new Problem(path, message)));
  }

  public List<Problem> problems() {
    return problems;
  }
}
