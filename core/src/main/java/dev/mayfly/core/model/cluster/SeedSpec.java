package dev.mayfly.core.model.cluster;

import dev.mayfly.core.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What fills storage once, before the first task on the first machine that mounts it.
 *
 * @param command argv, started in the storage's root
 * @param timeout the longest run time
 */
public record SeedSpec(List<String> command, Duration timeout) {
  public static final Duration TIMEOUT = Duration.ofHours(6);

  public SeedSpec {
    command = List.copyOf(command);
    if (command.isEmpty()) throw new IllegalArgumentException("a seed has a command");
  }

  /** Names its content: with another command the storage is filled again. */
  public String hash() {
    return Sha256.of(String.join("\0", command)).substring(0, 16);
  }

  /** Formats seeds by the storage's name, one per line, for a machine's metadata. */
  public static String text(Map<String, SeedSpec> seeds) {
    return seeds.entrySet().stream()
        .map(e ->
            e.getKey() + "\t" + e.getValue().timeout().toSeconds() + "\t" + e.getValue().words())
        .collect(Collectors.joining("\n"));
  }

  private String words() {
    var bytes = String.join("\0", command).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Throws {@link IllegalArgumentException} for a line that {@link #text} does not write. */
  public static Map<String, SeedSpec> parse(String text) {
    var seeds = new LinkedHashMap<String, SeedSpec>();
    for (var line : text.lines().filter(l -> !l.isBlank()).toList()) {
      var fields = line.split("\t", -1);
      if (fields.length != 3) throw new IllegalArgumentException("'" + line + "' is not a seed");
      var words = new String(Base64.getDecoder().decode(fields[2]), StandardCharsets.UTF_8);
      var timeout = Duration.ofSeconds(Long.parseLong(fields[1]));
      seeds.put(fields[0], new SeedSpec(List.of(words.split("\0", -1)), timeout));
    }
    return seeds;
  }
}
