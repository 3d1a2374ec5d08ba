/**
 * Core's values to and from the JSON of schemas/, and users' documents to commands.
 *
 * <p>Start with {@link dev.mayfly.wire.Wire}; document has what users write, codec what is stored
 * and what agents send.
 */
@NullMarked
package dev.mayfly.wire;

import org.jspecify.annotations.NullMarked;
