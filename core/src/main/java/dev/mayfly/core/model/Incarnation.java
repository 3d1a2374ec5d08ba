package dev.mayfly.core.model;

import java.time.Instant;

/** One agent process on one boot of one machine. Names and addresses are reused; this is not. */
public record Incarnation(String instanceId, String bootId, Instant agentStart) {}
