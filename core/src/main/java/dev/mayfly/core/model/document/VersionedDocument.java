package dev.mayfly.core.model.document;

/**
 * A document as it was read.
 *
 * @param version names this content; no two writes of a document share one
 */
public record VersionedDocument<D extends LedgerDocument>(D value, String version) {}
