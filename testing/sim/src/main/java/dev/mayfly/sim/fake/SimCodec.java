package dev.mayfly.sim.fake;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Codec;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes values as references: the bytes name a value that the codec keeps. Equal values have
 * equal bytes; unknown bytes are rejected like a malformed document.
 */
public final class SimCodec implements Codec {
  private record Kept(String kind, Object value) {}

  private final Map<String, Object> values = new HashMap<>();
  private final Map<Kept, String> tickets = new HashMap<>();

  /** A message for {@link #commands}. */
  public byte[] message(List<UserCommand> userCommands) {
    return bytes("commands", userCommands);
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<UserCommand> commands(byte[] message) {
    return (List<UserCommand>)
        value("commands", message)
            .orElseThrow(() ->
                new InvalidInputException("message", "this is no document; write YAML or JSON"));
  }

  @Override
  public String hash(JobSpec spec) {
    return ticket("job", spec);
  }

  @Override
  public String hash(ClusterSpec spec) {
    return ticket("cluster", spec);
  }

  @Override
  public byte[] gathered(GatheredInputs inputs) {
    return bytes("gathered", inputs);
  }

  @Override
  public GatheredInputs gathered(byte[] list) {
    return (GatheredInputs)
        value("gathered", list)
            .orElseThrow(() -> new InvalidInputException("", "this is no list of inputs"));
  }

  @Override
  public byte[] tasks(List<TaskItem> items) {
    return bytes("tasks", List.copyOf(items));
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<TaskItem> tasks(byte[] lines) {
    return (List<TaskItem>)
        value("tasks", lines)
            .orElseThrow(() -> new InvalidInputException("tasks", "this is no task list"));
  }

  @Override
  public byte[] sentinel(Sentinel sentinel) {
    return bytes("sentinel", sentinel);
  }

  @Override
  public Optional<Sentinel> sentinel(byte[] body) {
    return value("sentinel", body).map(Sentinel.class::cast);
  }

  @Override
  public byte[] sentinels(List<Sentinel> sentinels) {
    return bytes("sentinels", List.copyOf(sentinels));
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<Sentinel> sentinels(byte[] lines) {
    return (List<Sentinel>) value("sentinels", lines).orElse(List.of());
  }

  @Override
  public byte[] outcome(List<TaskOutcome> tasks) {
    return bytes("outcome", List.copyOf(tasks));
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<TaskOutcome> outcomes(byte[] lines) {
    return (List<TaskOutcome>)
        value("outcome", lines)
            .orElseThrow(() -> new InvalidInputException("outcome", "this is no outcome"));
  }

  private byte[] bytes(String kind, Object value) {
    return ticket(kind, value).getBytes(StandardCharsets.UTF_8);
  }

  private String ticket(String kind, Object value) {
    var ticket = tickets.computeIfAbsent(new Kept(kind, value), v -> kind + "-" + tickets.size());
    values.put(ticket, value);
    return ticket;
  }

  private Optional<Object> value(String kind, byte[] bytes) {
    var ticket = new String(bytes, StandardCharsets.UTF_8);
    return ticket.startsWith(kind + "-")
        ? Optional.ofNullable(values.get(ticket))
        : Optional.empty();
  }
}
