package dev.mayfly.wire;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.port.Codec;
import dev.mayfly.wire.document.Checked;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The codec port on {@link Wire}. */
final class JsonCodec implements Codec {
  private final Wire wire;

  JsonCodec(Wire wire) {
    this.wire = wire;
  }

  @Override
  public List<Command> commands(byte[] message) {
    return Checked.documents(message, "", Map.of(), false).stream()
        .map(Checked.Whole::command)
        .toList();
  }

  @Override
  public String hash(JobSpec spec) {
    return sha256(wire.json(spec));
  }

  @Override
  public String hash(ClusterSpec spec) {
    return sha256(wire.json(spec));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public byte[] tasks(List<TaskItem> items) {
    return lines(items);
  }

  @Override
  public List<TaskItem> tasks(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> wire.read(TaskItem.class, line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  @Override
  public byte[] sentinel(Sentinel sentinel) {
    return wire.json(sentinel);
  }

  @Override
  public Optional<Sentinel> sentinel(byte[] body) {
    try {
      return Optional.of(wire.read(Sentinel.class, body));
    } catch (Invalid notOurs) {
      return Optional.empty();
    }
  }

  @Override
  public byte[] outcome(List<TaskOutcome> tasks) {
    return lines(tasks);
  }

  private byte[] lines(List<?> values) {
    var bytes = new ByteArrayOutputStream(values.size() * 100);
    for (var value : values) {
      bytes.writeBytes(wire.json(value));
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }
}
