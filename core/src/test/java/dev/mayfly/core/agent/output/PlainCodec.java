package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Codec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A minimal codec: sentinels and task lists as plain lines. */
final class PlainCodec implements Codec {
  @Override
  public byte[] sentinel(Sentinel sentinel) {
    return sentinel.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public List<TaskItem> tasks(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .map(l -> new TaskItem(Long.parseLong(l), Optional.empty(), Map.of()))
        .toList();
  }

  @Override
  public byte[] gathered(GatheredInputs inputs) {
    throw new UnsupportedOperationException();
  }

  @Override
  public GatheredInputs gathered(byte[] list) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] tasks(List<TaskItem> items) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Sentinel> sentinel(byte[] body) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<UserCommand> commands(byte[] message) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String hash(JobSpec spec) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String hash(ClusterSpec spec) {
    throw new UnsupportedOperationException();
  }

  /** Whose they are, and no more. */
  @Override
  public byte[] sentinels(List<Sentinel> sentinels) {
    var lines = new StringBuilder();
    for (var s : sentinels)
      lines.append("%s %d %s %s\n".formatted(s.job(), s.task(), s.attempt(), s.output()));
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public List<Sentinel> sentinels(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split(" ", -1))
        .map(line ->
            new StoredOutput(
                    line[0], Long.parseLong(line[1]), line[2], line[3], 0, 0, "", MadeFrom.UNKNOWN)
                .sentinel("w1", AgentFixtures.T0))
        .toList();
  }

  @Override
  public byte[] outcome(List<TaskOutcome> tasks) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<TaskOutcome> outcomes(byte[] lines) {
    throw new UnsupportedOperationException();
  }
}
