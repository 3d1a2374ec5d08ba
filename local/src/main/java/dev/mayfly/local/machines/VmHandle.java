package dev.mayfly.local.machines;

/**
 * What is written down of a running machine, so that it is found again.
 *
 * @param pid its first process
 * @param startTicks when that process started, in the kernel's clock ticks: a recycled pid has
 *     others
 * @param metadataPort the port of its metadata server, which its processes know by heart
 */
public record VmHandle(long pid, long startTicks, int metadataPort) {}
