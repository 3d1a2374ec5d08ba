package dev.mayfly.core.model.gang;

import java.util.List;

/**
 * Where an attempt of a gang ran that is over.
 *
 * @param attempt its name, as its sentinel has it
 * @param workers all that ran it, rank 0's first
 */
public record GangAttempt(String attempt, List<String> workers) {
  public GangAttempt {
    workers = List.copyOf(workers);
  }
}
