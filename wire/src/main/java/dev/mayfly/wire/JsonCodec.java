package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Codec;
import dev.mayfly.wire.document.DocumentValidator;
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
  public List<UserCommand> commands(byte[] message) {
    return DocumentValidator.documents(message, "", Map.of(), false).stream()
        .map(DocumentValidator.ValidDocument::command)
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
    } catch (InvalidInputException notOurs) {
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
