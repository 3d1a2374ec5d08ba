/**
 * The ports: everything that Mayfly asks of the outside world, as interfaces.
 *
 * <p>Start with {@link dev.mayfly.core.port.Ledger}, which holds all state.
 */
@NullMarked
package dev.mayfly.core.port;

import org.jspecify.annotations.NullMarked;
