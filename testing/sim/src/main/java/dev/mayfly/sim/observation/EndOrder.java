package dev.mayfly.sim.observation;

import dev.mayfly.core.agent.loop.StopReason;
import java.time.Duration;

/**
 * An agent ends a running process.
 *
 * @param grace from SIGTERM to SIGKILL; zero for SIGKILL now
 * @param due the grace of the process's job
 */
public record EndOrder(TaskProcess process, Duration grace, Duration due, StopReason reason) {}
