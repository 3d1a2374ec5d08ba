package dev.mayfly.local.machines;

/**
 * A GPU that a machine pretends to have.
 *
 * @param name as NVIDIA's driver gives it
 * @param memoryMib all of its memory
 */
public record FakeGpu(String name, long memoryMib) {}
