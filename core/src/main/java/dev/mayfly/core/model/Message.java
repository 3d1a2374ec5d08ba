package dev.mayfly.core.model;

import java.time.Instant;

/** A user's message as it was published. */
public record Message(String id, Instant publishedAt, byte[] data) {}
