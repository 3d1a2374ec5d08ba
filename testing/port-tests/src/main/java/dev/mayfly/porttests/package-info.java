/**
 * A contract suite for each port of the core; every adapter passes it.
 *
 * <p>Start with the contract of your port, {@link dev.mayfly.porttests.ObjectStoreContract} for
 * example. Its subclasses are in the tests of {@code sim}, {@code gcs} and {@code local}.
 */
@NullMarked
package dev.mayfly.porttests;

import org.jspecify.annotations.NullMarked;
