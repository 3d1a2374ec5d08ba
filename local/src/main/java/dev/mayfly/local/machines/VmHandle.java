package dev.mayfly.local.machines;

/**
 * The stored identity of a running machine, by which it is found again.
 *
 * @param pid the pid of its first process
 * @param startTicks when that process started, in the kernel's clock ticks: which differ for a
 *     recycled pid
 * @param metadataPort the port of its metadata server, which its processes keep
 */
public record VmHandle(long pid, long startTicks, int metadataPort) {}
