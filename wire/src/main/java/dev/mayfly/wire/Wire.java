package dev.mayfly.wire;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Codec;
import dev.mayfly.wire.shape.Shapes;
import dev.mayfly.wire.text.Line;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Values to and from the JSON of {@code schemas/}. Equal values are equal bytes.
 *
 * <p>What is read may come from an older or a newer version (see {@link dev.mayfly.wire.shape});
 * what cannot be read is an {@link Invalid} that says where. Any thread may use it.
 */
public final class Wire {
  private static final Wire SHARED = new Wire();

  private static final int REPORT_VALUES = 250_000;
  private static final int LONGEST_MESSAGE = 300;

  private final Shapes shapes = new Shapes();
  private final Codec codec = new JsonCodec(this);

  private Wire() {}

  /** The one instance of a process. */
  public static Wire shared() {
    return SHARED;
  }

  /** Messages, task lists, sentinels and outcomes. */
  public static Codec codec() {
    return SHARED.codec;
  }

  /** A document as a ledger stores it; its place is its key's, and not in the bytes. */
  public byte[] document(Document document) {
    return json(document);
  }

  public <D extends Document> D document(Class<D> type, byte[] bytes) {
    return read(type, bytes);
  }

  /**
   * A document's fields for a ledger with types of its own: maps, lists, texts, Longs, Doubles,
   * Booleans, Instants and bytes, under the names that they have in JSON.
   */
  public Map<String, Object> fields(Document document) {
    return shapes.plain(document);
  }

  /** Reads {@link #fields}; fields that this version does not know are no error. */
  public <D extends Document> D document(Class<D> type, Map<String, ?> fields) {
    return shapes.read(type, Json.tree(fields));
  }

  public byte[] report(SyncReport report) {
    return json(report);
  }

  /** Any machine may send one: what it may cost is bounded. */
  public SyncReport report(byte[] bytes) {
    return shapes.read(SyncReport.class, tree(bytes, REPORT_VALUES));
  }

  public byte[] orders(SyncOrders orders) {
    return json(orders);
  }

  public SyncOrders orders(byte[] bytes) {
    return read(SyncOrders.class, bytes);
  }

  public byte[] hint(Hint hint) {
    return json(hint);
  }

  public Hint hint(byte[] bytes) {
    return read(Hint.class, bytes);
  }

  /** A record, or a list of records, for example a view of the read API. */
  public byte[] json(Object value) {
    var bytes = new ByteArrayOutputStream(512);
    try (var out = Json.generator(bytes)) {
      shapes.write(out, value);
    }
    return bytes.toByteArray();
  }

  public <T> T read(Class<T> type, byte[] bytes) {
    return shapes.read(type, tree(bytes));
  }

  /** A JSON array of values, for example a list of the read API. */
  public <T> List<T> list(Class<T> type, byte[] bytes) {
    var tree = tree(bytes);
    if (!tree.isArray()) throw new Invalid("", "is no JSON array");
    return tree.valueStream().map(node -> shapes.read(type, node)).toList();
  }

  JsonNode tree(byte[] bytes) {
    return tree(bytes, Integer.MAX_VALUE);
  }

  private static JsonNode tree(byte[] bytes, int mostValues) {
    try {
      return Json.tree(bytes, mostValues);
    } catch (JacksonException e) {
      throw new Invalid("", "is no JSON: " + Line.of(e.getOriginalMessage(), LONGEST_MESSAGE));
    }
  }
}
