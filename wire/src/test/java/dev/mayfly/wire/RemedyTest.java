package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An error says what to write for what was probably meant. */
class RemedyTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: a
      cluster: lab
      command: [ls]
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resources: {memory: 4GB} | resources.memory: '4GB' is not read: units are Ki, Mi, Gi, Ti and k, M, G, T; write 4G or 4Gi
          resources: {memory: 512 mib} | write 512M or 512Mi
          resources: {memory: 1.5gb} | write 1.5G or 1.5Gi
          resources: {memory: 64kB} | write 64k or 64Ki
          resources: {memory: 8} | resources.memory: 8 has no unit: units are Ki, Mi, Gi, Ti and k, M, G, T; write 8G or 8Gi
          resources: {memory: much} | write it like 8Gi or 512Mi
          grace: 5 minutes | grace: '5 minutes' is not read: units are d, h, m, s and ms; write 5m
          grace: 1hr | write 1h
          timeout: 2 Days | write 2d
          timeout: 90 secs | write 90s
          timeout: 300 | timeout: 300 has no unit: units are d, h, m, s and ms; write 300s or 300m
          timeout: 1.5h | of whole numbers; write it like 90s, 10m or 1h30m
          timeout: soon | write it like 90s, 10m or 1h30m
          env: {HF_TOKEN: } | env.HF_TOKEN: is empty; write its value, "" for none, or its secret under secrets: nothing is taken from the environment that submits
          checkpoint: {index} | checkpoint: {index} without quotes is an object; write "{index}"
          """)
  void aFieldsErrorSaysWhatToWrite(String field, String said) {
    assertThat(told(JOB + "tasks: {count: 1}\n" + field)).contains(said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tasks: {output: s3://lab/out/{stem}} | put the text with {stem} in it into quotes
          tasks: {output: gs://lab/{name}-{index}.txt, count: 3} | put the text with {name} in it into quotes
          labels: [a{b}] | put the text with {b} in it into quotes
          """)
  void unquotedBracesGetAHint(String field, String said) {
    assertThat(told(JOB + field)).contains("is not YAML").contains(said);
  }

  private static String told(String text) {
    return UserDocuments.check(text.getBytes(UTF_8), "job.yaml", Map.of()).problems().toString();
  }
}
