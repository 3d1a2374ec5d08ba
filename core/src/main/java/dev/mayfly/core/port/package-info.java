/**
 * Everything that Mayfly asks of the world outside, as interfaces.
 *
 * <p>Start with {@link dev.mayfly.core.port.Ledger}, where all state is. Every adapter of a port
 * extends its {@code *Contract} in module {@code port-tests}. No vendor's type is in a signature.
 */
@NullMarked
package dev.mayfly.core.port;

import org.jspecify.annotations.NullMarked;
