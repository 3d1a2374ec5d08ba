/**
 * Compute Engine and Cloud TPU as one fleet.
 *
 * <p>Start with {@link dev.mayfly.gcp.fleet.GoogleFleet}. It knows the two services only as {@link
 * dev.mayfly.core.port.Fleet}.
 */
@NullMarked
package dev.mayfly.gcp.fleet;

import org.jspecify.annotations.NullMarked;
