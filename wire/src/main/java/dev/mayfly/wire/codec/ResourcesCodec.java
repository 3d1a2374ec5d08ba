package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.text.QuantityFormat;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Resources as people write them: {@code {"cpu": 0.5, "memory": "8Gi"}}; zero amounts are omitted.
 */
final class ResourcesCodec implements ValueCodec {
  @Override
  public void write(JsonGenerator out, Object value, long first) {
    var amounts = (Resources) value;
    out.writeStartObject();
    if (amounts.cpuMillis() != 0)
      out.writeNumberProperty("cpu", QuantityFormat.fromMillis(amounts.cpuMillis()));
    if (amounts.memoryBytes() != 0)
      out.writeStringProperty("memory", QuantityFormat.fromBytes(amounts.memoryBytes()));
    if (amounts.gpuMillis() != 0)
      out.writeNumberProperty("gpu", QuantityFormat.fromMillis(amounts.gpuMillis()));
    if (amounts.tpuChips() != 0) out.writeNumberProperty("tpu", amounts.tpuChips());
    if (amounts.gpuMemoryBytes() != 0)
      out.writeStringProperty("gpuMemory", QuantityFormat.fromBytes(amounts.gpuMemoryBytes()));
    out.writeEndObject();
  }

  @Override
  public Object read(JsonNode node, String path, long first) {
    if (!node.isObject())
      throw ValueCodec.mismatch("amounts like {cpu: 4, memory: 8Gi}", node, path);
    return new Resources(
        amount(node, path, "cpu", QuantityFormat::millis),
        amount(node, path, "memory", QuantityFormat::bytes),
        amount(node, path, "gpu", QuantityFormat::millis),
        amount(node, path, "tpu", Long::parseLong),
        amount(node, path, "gpuMemory", QuantityFormat::bytes));
  }

  private static long amount(JsonNode node, String path, String name, ToLongFunction<String> read) {
    var value = node.get(name);
    if (value == null) return 0;
    if (!value.isNumber() && !value.isString())
      throw ValueCodec.mismatch("an amount", value, path + "." + name);
    try {
      return read.applyAsLong(
          value.isNumber() ? value.decimalValue().toPlainString() : value.stringValue());
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(path + "." + name, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Object missing(String path, long first) {
    return Resources.ZERO;
  }
}
