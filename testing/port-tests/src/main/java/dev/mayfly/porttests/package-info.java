/**
 * A contract suite for each port of the core; every adapter passes it.
 *
 * <p>Start with the contract of your port, {@link dev.mayfly.porttests.ObjectStoreContract} for
 * example. Its subclasses are in the tests of {@code sim}, {@code local}, {@code functions} and
 * {@code node-agent}, beside what they test or where the servers are that they need.
 */
@NullMarked
package dev.mayfly.porttests;

import org.jspecify.annotations.NullMarked;
