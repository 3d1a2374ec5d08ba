package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.Resources;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The variables that frameworks read as a limit of a GPU's memory. NVIDIA's driver has no such
 * limit by process: only its Multi-Process Service enforces one.
 *
 * <ul>
 *   <li>{@code MAYFLY_GPU_MEMORY}, in bytes, is Mayfly's own word for programs.
 *   <li>{@code XLA_PYTHON_CLIENT_MEM_FRACTION} is the part of a device that JAX takes at its start
 *       (docs.jax.dev/en/latest/gpu_memory_allocation.html). Newer releases call it {@code
 *       XLA_CLIENT_MEM_FRACTION}, read the old name still, and refuse to start with both
 *       (make_gpu_client in jax/_src/xla_bridge.py); so a task that has the new one gets no old
 *       one.
 *   <li>{@code CUDA_MPS_PINNED_DEVICE_MEM_LIMIT} is enforced by MPS for each device, by the task's
 *       own numbers (docs.nvidia.com/deploy/mps); without MPS nothing reads it.
 * </ul>
 *
 * <p>Nothing is said to PyTorch: its documents name {@code
 * torch.cuda.set_per_process_memory_fraction} alone, a call that the program makes, and an
 * allocator of an older release refuses words of {@code PYTORCH_CUDA_ALLOC_CONF} that it does not
 * know.
 */
public final class GpuMemoryLimit {
  private static final String JAX = "XLA_PYTHON_CLIENT_MEM_FRACTION";
  private static final String JAX_NEW = "XLA_CLIENT_MEM_FRACTION";
  private static final long MIB = 1L << 20;

  private GpuMemoryLimit() {}

  /**
   * What a task gets beside its own variables; empty if it has no limit.
   *
   * @param devices how many GPUs it has
   * @param memory bytes of one GPU; empty if they are not known, and then JAX is told nothing
   * @param own the names of variables that its user has set, which win
   */
  public static Map<String, String> variables(
      Resources need, int devices, Optional<Long> memory, Set<String> own) {
    var limit = need.gpuMemoryBytes();
    if (limit <= 0 || devices == 0) return Map.of();
    var variables = new LinkedHashMap<String, String>();
    memory.filter(all -> all > 0).ifPresent(all -> variables.put(JAX, fraction(limit, all)));
    var each = Math.max(1, limit / MIB) + "M";
    variables.put(
        "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
        IntStream.range(0, devices)
            .mapToObj(device -> device + "=" + each)
            .collect(Collectors.joining(",")));
    if (own.contains(JAX_NEW)) variables.remove(JAX);
    variables.keySet().removeAll(own);
    variables.put("MAYFLY_GPU_MEMORY", Long.toString(limit));
    return variables;
  }

  /** Rounded down, so that tasks which fill a device do not ask for more than all of it. */
  private static String fraction(long limit, long all) {
    return String.format(
        Locale.ROOT, "%.4f", Math.max(1, Math.min(limit, all) * 10_000 / all) / 10_000.0);
  }
}
