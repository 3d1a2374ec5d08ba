package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InputError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The first fifty problems and the number of further ones, so that a document with a hundred
 * thousand mistakes costs no more than one with fifty.
 */
public final class ProblemList {
  public static final int MAX_PROBLEMS = 50;

  private final List<InputError> first = new ArrayList<>();
  private int more;

  public void add(InputError inputError) {
    if (first.size() < MAX_PROBLEMS) first.add(inputError);
    else more++;
  }

  /** Counts problems without their texts. */
  public void addCount(int problems) {
    more += problems;
  }

  /** Adds only problems at new places, because an invalid value also fails later checks. */
  public void addNew(ProblemList others) {
    addUnless(_ -> false, others);
  }

  /** Adds those at new places that are not {@code left} out. */
  public void addUnless(Predicate<InputError> left, ProblemList others) {
    var told = paths();
    for (var inputError : others.first)
      if (!told.contains(inputError.path()) && !left.test(inputError)) add(inputError);
    more += others.more;
  }

  /** A copy without the problems at places that others have too. */
  public ProblemList without(ProblemList others) {
    var paths = others.paths();
    var rest = new ProblemList();
    for (var inputError : first) if (!paths.contains(inputError.path())) rest.add(inputError);
    return rest;
  }

  private Set<String> paths() {
    var paths = new HashSet<String>();
    for (var inputError : first) paths.add(inputError.path());
    return paths;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  /** The number of problems, told or not. */
  public int size() {
    return first.size() + more;
  }

  /** Whether further problems are only counted. */
  public boolean isFull() {
    return first.size() == MAX_PROBLEMS;
  }

  /** The reported problems. */
  public List<InputError> first() {
    return List.copyOf(first);
  }

  /** The number of problems that are not reported. */
  public int more() {
    return more;
  }
}
