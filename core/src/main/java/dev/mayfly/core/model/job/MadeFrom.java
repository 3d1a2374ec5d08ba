package dev.mayfly.core.model.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an output was made from, as its sentinel and its own metadata say.
 *
 * @param input the generation of the input when the task started
 * @param code the hash of the job's code
 * @param command the hash of all else that decides the output: the command, its environment, its
 *     image and its setup
 */
public record MadeFrom(Optional<Long> input, Optional<String> code, Optional<String> command) {
  public static final MadeFrom UNKNOWN = new MadeFrom(Optional.empty(), Optional.empty());

  private static final String INPUT = "mayfly-input-generation";
  private static final String CODE = "mayfly-code";
  private static final String COMMAND = "mayfly-command";

  /** Where nobody asks for the command. */
  public MadeFrom(Optional<Long> input, Optional<String> code) {
    this(input, code, Optional.empty());
  }

  public Map<String, String> metadata() {
    var map = new LinkedHashMap<String, String>();
    input.ifPresent(generation -> map.put(INPUT, Long.toString(generation)));
    code.ifPresent(hash -> map.put(CODE, hash));
    command.ifPresent(hash -> map.put(COMMAND, hash));
    return map;
  }

  /** What {@link #metadata} wrote. */
  public static MadeFrom of(Map<String, String> metadata) {
    var generation = Optional.ofNullable(metadata.get(INPUT)).filter(t -> t.matches("[0-9]{1,18}"));
    return new MadeFrom(
        generation.map(Long::valueOf),
        Optional.ofNullable(metadata.get(CODE)),
        Optional.ofNullable(metadata.get(COMMAND)));
  }
}
