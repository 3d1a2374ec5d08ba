package dev.mayfly.agent.checkpoint;

import dev.mayfly.core.model.job.MadeFrom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What stores a checkpoint, as the metadata of its manifest says: a place that names no job is
 * shared by all jobs of that name, also when their code has changed meanwhile.
 *
 * @param address of the job, as people name it
 * @param made the code and the command; the input decides nothing here
 */
public record CheckpointMaker(Optional<String> address, MadeFrom made) {
  private static final String JOB = "mayfly-job-name";

  /** Of checkpoints that older agents stored. */
  public static final CheckpointMaker UNKNOWN =
      new CheckpointMaker(Optional.empty(), MadeFrom.UNKNOWN);

  Map<String, String> metadata() {
    var map = new LinkedHashMap<String, String>(made.metadata());
    address.ifPresent(name -> map.put(JOB, name));
    return map;
  }

  static CheckpointMaker of(Map<String, String> metadata) {
    return new CheckpointMaker(Optional.ofNullable(metadata.get(JOB)), MadeFrom.of(metadata));
  }

  /** How {@code other}, which continues from it, differs; empty if it does not, or nobody knows. */
  String changed(CheckpointMaker other) {
    var changed = new ArrayList<String>();
    if (differ(made.code(), other.made.code()) && made.command().isPresent()) changed.add("code");
    if (made.command().isPresent() && differ(made.command(), other.made.command()))
      changed.add("command or environment");
    return String.join(" and ", changed);
  }

  private static boolean differ(Optional<String> one, Optional<String> other) {
    return !one.equals(other);
  }
}
