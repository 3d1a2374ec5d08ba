package dev.mayfly.wire.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairShareDocumentsTest {
  private static FairShareSpec shares(String lines) {
    var file =
        """
        apiVersion: mayfly.dev/v1
        kind: Cluster
        name: lab
        bucket: gs://lab
        pools:
          - {name: cpu, machine: {type: n2-standard-2}, zones: [z-1], workers: {max: 5}}
        """;
    var command = Wire.codec().commands((file + lines).getBytes(UTF_8)).getFirst();
    return ((UserCommand.ApplyCluster) command).spec().limit().shares();
  }

  @Test
  void weightsAndAHalfLifeAreRead() {
    assertThat(shares("fairShare: {halfLife: 7d}\nlimits: {owners: {ada: {weight: 3}}}"))
        .isEqualTo(new FairShareSpec(Map.of("ada", 3.0), Optional.of(Duration.ofDays(7))));
    assertThat(shares("fairShare: {halfLife: 10m}").halfLife()).hasValue(Duration.ofMinutes(10));
    assertThat(shares("").halfLife()).as("the moment alone").isEmpty();
  }

  @Test
  void whatIsNoHalfLifeIsRefused() {
    for (var text :
        new String[] {
          "fairShare: {}",
          "fairShare: {halfLife: 9m}",
          "fairShare: {halfLife: 0s}",
          "fairShare: {halfLife: 366d}",
          "fairShare: {halfLife: often}",
          "fairShare: {halfLive: 7d}",
          "fairShare: 7d"
        }) assertThatThrownBy(() -> shares(text)).as(text).hasMessageContaining("fairShare");
  }
}
