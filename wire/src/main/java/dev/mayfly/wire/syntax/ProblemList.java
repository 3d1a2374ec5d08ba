package dev.mayfly.wire.syntax;

import dev.mayfly.core.error.InputError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong, as far as a person reads it: the first fifty problems, and how many more there
 * are. So a document with a hundred thousand mistakes costs no more than one with fifty.
 */
public final class ProblemList {
  public static final int MOST = 50;

  private final List<InputError> first = new ArrayList<>();
  private int more;

  public void add(InputError inputError) {
    if (first.size() < MOST) first.add(inputError);
    else more++;
  }

  /** Problems that nobody will read, and whose words are not made. */
  public void addCount(int problems) {
    more += problems;
  }

  /** One problem a place is enough: a value that has no meaning fails later checks too. */
  public void addNew(ProblemList others) {
    var told = paths();
    for (var inputError : others.first) if (!told.contains(inputError.path())) add(inputError);
    more += others.more;
  }

  private Set<String> paths() {
    var paths = new HashSet<String>();
    for (var inputError : first) paths.add(inputError.path());
    return paths;
  }

  public boolean isEmpty() {
    return first.isEmpty() && more == 0;
  }

  /** Whether one more would not be told. */
  public boolean isFull() {
    return first.size() == MOST;
  }

  /** Those that are told. */
  public List<InputError> first() {
    return List.copyOf(first);
  }

  /** How many are not. */
  public int more() {
    return more;
  }
}
