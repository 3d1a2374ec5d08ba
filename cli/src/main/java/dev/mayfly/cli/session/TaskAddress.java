package dev.mayfly.cli.session;

import java.util.OptionalInt;

/**
 * One task of a job, as a command names it.
 *
 * @param job the job's uid
 * @param name the job's name, for messages
 * @param rank which of the task's machines; empty for the first
 */
record TaskAddress(String job, String name, long index, OptionalInt rank) {
  @Override
  public String toString() {
    return name + "/" + index + (rank.isPresent() ? "." + rank.getAsInt() : "");
  }
}
