/** Ordinary machines, from Compute Engine. */
@NullMarked
package dev.mayfly.gcp.compute;

import org.jspecify.annotations.NullMarked;
