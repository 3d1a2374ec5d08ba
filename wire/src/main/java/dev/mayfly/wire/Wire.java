package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.Codec;
import dev.mayfly.wire.codec.CodecRegistry;
import dev.mayfly.wire.document.DocumentValidator;
import dev.mayfly.wire.text.SingleLineText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Values to and from the JSON of {@code schemas/}. Equal values give equal bytes.
 *
 * <p>Input may come from an older or a newer version (see {@link dev.mayfly.wire.codec}); invalid
 * input is an {@link InvalidInputException} with its position. Thread-safe.
 */
public final class Wire implements Codec {
  private static final Wire SHARED = new Wire(_ -> {});

  private static final int REPORT_VALUES = 250_000;
  private static final int LONGEST_MESSAGE = 300;

  private final CodecRegistry codecRegistry = new CodecRegistry();

  private final Consumer<UserCommand> rule;

  private Wire(Consumer<UserCommand> rule) {
    this.rule = rule;
  }

  /** The process-wide instance. */
  public static Wire shared() {
    return SHARED;
  }

  /** The codec of messages, task lists, sentinels and outcomes. */
  public static Codec codec() {
    return SHARED;
  }

  /**
   * As above, for a deployment that does not take every valid command.
   *
   * @param rule throws {@link InvalidInputException} for one that it does not take
   */
  public static Codec codec(Consumer<UserCommand> rule) {
    return new Wire(rule);
  }

  /** A document as a ledger stores it, without its key. */
  public byte[] document(LedgerDocument ledgerDocument) {
    return json(ledgerDocument);
  }

  public <D extends LedgerDocument> D document(Class<D> type, byte[] bytes) {
    return read(type, bytes);
  }

  /**
   * A document's fields for a ledger with its own types: maps, lists, texts, Longs, Doubles,
   * Booleans, Instants and bytes, under their JSON names.
   */
  public Map<String, Object> fields(LedgerDocument ledgerDocument) {
    return StreamingJson.fields(out -> codecRegistry.write(out, ledgerDocument));
  }

  /** Reads {@link #fields}; ignores unknown fields. */
  public <D extends LedgerDocument> D document(Class<D> type, Map<String, ?> fields) {
    return codecRegistry.read(type, StreamingJson.tree(fields));
  }

  public byte[] report(SyncReport report) {
    return json(report);
  }

  /** Any machine may send a report, so the cost of reading is bounded. */
  public SyncReport report(byte[] bytes) {
    return codecRegistry.read(SyncReport.class, tree(bytes, REPORT_VALUES));
  }

  public byte[] orders(SyncOrders orders) {
    return json(orders);
  }

  public SyncOrders orders(byte[] bytes) {
    return read(SyncOrders.class, bytes);
  }

  public byte[] trigger(Trigger trigger) {
    return json(trigger);
  }

  public Trigger trigger(byte[] bytes) {
    return read(Trigger.class, bytes);
  }

  /** A record, or a list of records, for example a view of the read API. */
  public byte[] json(Object value) {
    var bytes = new ByteArrayOutputStream(512);
    try (var out = StreamingJson.generator(bytes)) {
      codecRegistry.write(out, value);
    }
    return bytes.toByteArray();
  }

  public <T> T read(Class<T> type, byte[] bytes) {
    return codecRegistry.read(type, tree(bytes));
  }

  /** A JSON array of values, for example a list of the read API. */
  public <T> List<T> list(Class<T> type, byte[] bytes) {
    var tree = tree(bytes);
    if (!tree.isArray()) throw new InvalidInputException("", "is not a JSON array");
    return tree.valueStream().map(node -> codecRegistry.read(type, node)).toList();
  }

  private static JsonNode tree(byte[] bytes) {
    return tree(bytes, Integer.MAX_VALUE);
  }

  private static JsonNode tree(byte[] bytes, int mostValues) {
    try {
      return StreamingJson.tree(bytes, mostValues);
    } catch (JacksonException e) {
      throw new InvalidInputException(
          "", "is not JSON: " + SingleLineText.of(e.getOriginalMessage(), LONGEST_MESSAGE));
    }
  }

  @Override
  public List<UserCommand> commands(byte[] message) {
    var commands =
        DocumentValidator.documents(message, "", Map.of(), false).stream()
            .map(DocumentValidator.ValidDocument::command)
            .toList();
    commands.forEach(rule);
    return commands;
  }

  @Override
  public String hash(JobSpec spec) {
    return sha256(json(spec));
  }

  @Override
  public String hash(ClusterSpec spec) {
    return sha256(json(spec));
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
    return values(TaskItem.class, lines);
  }

  private <T> List<T> values(Class<T> type, byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> read(type, line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  @Override
  public byte[] gathered(GatheredInputs inputs) {
    return json(inputs);
  }

  @Override
  public GatheredInputs gathered(byte[] list) {
    return read(GatheredInputs.class, list);
  }

  @Override
  public byte[] sentinel(Sentinel sentinel) {
    return json(sentinel);
  }

  @Override
  public Optional<Sentinel> sentinel(byte[] body) {
    try {
      return Optional.of(read(Sentinel.class, body));
    } catch (InvalidInputException notOurs) {
      return Optional.empty();
    }
  }

  @Override
  public byte[] sentinels(List<Sentinel> sentinels) {
    return lines(sentinels);
  }

  @Override
  public List<Sentinel> sentinels(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .flatMap(line -> sentinel(line.getBytes(StandardCharsets.UTF_8)).stream())
        .toList();
  }

  @Override
  public byte[] outcome(List<TaskOutcome> tasks) {
    return lines(tasks);
  }

  @Override
  public List<TaskOutcome> outcomes(byte[] lines) {
    return values(TaskOutcome.class, lines);
  }

  /** The history of an attempt's metrics, a line for each row. */
  public byte[] metrics(List<MetricsRow> rows) {
    return lines(rows);
  }

  /** Reads {@link #metrics}; leaves out lines that are none. */
  public List<MetricsRow> metrics(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8).lines().flatMap(this::metricsRow).toList();
  }

  private Stream<MetricsRow> metricsRow(String line) {
    try {
      var row = read(MetricsRow.class, line.getBytes(StandardCharsets.UTF_8));
      var real =
          row.values().size() <= TaskMetrics.NAMES
              && row.values().entrySet().stream()
                  .allMatch(it -> TaskMetrics.isMetric(it.getKey(), it.getValue()));
      return real ? Stream.of(row) : Stream.empty();
    } catch (InvalidInputException foreign) {
      // Whoever may write a log may write anything there.
      return Stream.empty();
    }
  }

  private byte[] lines(List<?> values) {
    var bytes = new ByteArrayOutputStream(values.size() * 100);
    for (var value : values) {
      bytes.writeBytes(json(value));
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }
}
