package dev.mayfly.core.query;

/**
 * What tasks use of one kind of GPUs or TPUs of a cluster's ready workers.
 *
 * @param kind Compute Engine's type of the GPU, such as {@code nvidia-l4}, or the generation of the
 *     TPU, such as {@code v5litepod}; the machine type where neither is known
 * @param used of {@code total}, GPUs with their parts, or chips
 */
public record AcceleratorUse(String kind, double used, double total) {}
