/**
 * Tests of the clients of a control plane.
 *
 * <p>Start with {@link dev.mayfly.cli.client.HttpTransportTest}.
 */
@NullMarked
package dev.mayfly.cli.client;

import org.jspecify.annotations.NullMarked;
