/**
 * Core's values to and from the JSON of schemas/, and users' documents to commands.
 *
 * <p>Start with {@link dev.mayfly.wire.Wire}; document reads users' documents, codec reads and
 * writes stored documents and agents' messages.
 */
@NullMarked
package dev.mayfly.wire;

import org.jspecify.annotations.NullMarked;
