/** A deterministic world: virtual time, seeded faults, a fake for every port. */
@NullMarked
package dev.mayfly.sim;

import org.jspecify.annotations.NullMarked;
