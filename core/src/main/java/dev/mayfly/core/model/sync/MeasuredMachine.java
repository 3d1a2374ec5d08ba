package dev.mayfly.core.model.sync;

import java.time.Instant;

/**
 * How busy and how full a worker's machine is.
 *
 * @param at when it was last written; the worker may have sent later values since
 * @param use what it said then
 */
public record MeasuredMachine(Instant at, MachineUse use) {}
