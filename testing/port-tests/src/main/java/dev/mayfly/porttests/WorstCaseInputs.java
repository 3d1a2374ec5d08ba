package dev.mayfly.porttests;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages small enough to be published, and made by hand to be as expensive as possible to read.
 * Each was once redelivered for ever, or took minutes or all memory.
 */
public final class WorstCaseInputs {
  /** A pattern with exponentially many ways not to match a name. */
  public static final String GLOB = "*a".repeat(5) + "b";

  public static final String NAME = "a".repeat(202);

  /** An ordinary job, which others extend. */
  public static final String JOB =
      "apiVersion: mayfly.dev/v1\nkind: Job\nname: a\ncluster: l\ncommand: [ls]\ntasks: {count: 1}\n";

  private WorstCaseInputs() {}

  /** All worst-case messages, by description. */
  public static Map<String, String> messages() {
    var all = new LinkedHashMap<String, String>();
    all.put("a number that is no int", wideNumber());
    all.put("a character across a buffer's end", acrossBuffer());
    all.put("26,000 unknown fields", unknownFields(26_000));
    all.put("100 KB in 40,000 places", longVariable(100_000, 40_000));
    all.put("50 KB in 5,000 places", longVariable(50_000, 5_000));
    return all;
  }

  /** A Cluster whose pool allows more machines on demand than an int can count. */
  public static String wideNumber() {
    return """
    apiVersion: mayfly.dev/v1
    kind: Cluster
    name: a
    bucket: gs://lab
    pools:
      - name: p
        machine: {type: n2-standard-2}
        zones: [us-central1-a]
        provisioning: spot
        onDemand: {max: 123456789012345678}
        workers: {max: 1}
    """;
  }

  /** A valid Job: the first half of an emoji is the last character that fits into a buffer. */
  public static String acrossBuffer() {
    return "#" + "x".repeat(1_023) + "\uD83D\uDE00\n" + JOB;
  }

  public static String unknownFields(int count) {
    var text = new StringBuilder(JOB);
    for (var i = 0; i < count; i++) text.append("f").append(i).append(":\n");
    return text.toString();
  }

  /** A variable of {@code length} characters, used {@code places} times in one text. */
  public static String longVariable(int length, int places) {
    return JOB
        + "variables: {x: "
        + "v".repeat(length)
        + "}\nenv: {A: \""
        + "{x}".repeat(places)
        + "\"}\n";
  }
}
