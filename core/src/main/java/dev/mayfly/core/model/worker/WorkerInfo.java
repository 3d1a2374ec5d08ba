package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The information that a machine's metadata gives its agent at the start. Its only secret is the
 * nonce, which proves only that the machine is the one that was ordered.
 *
 * @param workersUrl the sync endpoint, without {@code /v1/sync}
 * @param visible what tasks may use; the agent never offers more
 */
public record WorkerInfo(
    String cluster,
    String worker,
    String pool,
    String nonce,
    String workersUrl,
    String bucket,
    Resources visible) {
  public Map<String, String> metadata() {
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-cluster", cluster);
    map.put("mayfly-worker", worker);
    map.put("mayfly-pool", pool);
    map.put("mayfly-nonce", nonce);
    map.put("mayfly-workers-url", workersUrl);
    map.put("mayfly-bucket", bucket);
    map.put("mayfly-cpu-millis", Long.toString(visible.cpuMillis()));
    map.put("mayfly-memory-bytes", Long.toString(visible.memoryBytes()));
    map.put("mayfly-gpu-millis", Long.toString(visible.gpuMillis()));
    map.put("mayfly-tpu-chips", Long.toString(visible.tpuChips()));
    if (visible.gpuMemoryBytes() > 0)
      map.put("mayfly-gpu-memory-bytes", Long.toString(visible.gpuMemoryBytes()));
    return map;
  }

  /** Throws {@link IllegalArgumentException} that names the missing field. */
  public static WorkerInfo of(Map<String, String> metadata) {
    return new WorkerInfo(
        text(metadata, "mayfly-cluster"),
        text(metadata, "mayfly-worker"),
        text(metadata, "mayfly-pool"),
        text(metadata, "mayfly-nonce"),
        text(metadata, "mayfly-workers-url"),
        text(metadata, "mayfly-bucket"),
        new Resources(
            number(metadata, "mayfly-cpu-millis"),
            number(metadata, "mayfly-memory-bytes"),
            number(metadata, "mayfly-gpu-millis"),
            number(metadata, "mayfly-tpu-chips"),
            metadata.containsKey("mayfly-gpu-memory-bytes")
                ? number(metadata, "mayfly-gpu-memory-bytes")
                : 0));
  }

  private static String text(Map<String, String> metadata, String key) {
    return Optional.ofNullable(metadata.get(key))
        .filter(s -> !s.isEmpty())
        .orElseThrow(() -> new IllegalArgumentException("the machine's metadata has no " + key));
  }

  private static long number(Map<String, String> metadata, String key) {
    try {
      return Long.parseLong(text(metadata, key));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " is not a number: " + metadata.get(key), e);
    }
  }
}
