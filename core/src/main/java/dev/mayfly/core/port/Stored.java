package dev.mayfly.core.port;

import dev.mayfly.core.model.Document;

/**
 * A document as it was read.
 *
 * @param version names this content of it: two writes of one document never share one
 */
public record Stored<D extends Document>(D value, String version) {}
