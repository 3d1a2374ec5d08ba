/** A contract suite for each port of the core; every adapter extends it. */
@NullMarked
package dev.mayfly.porttests;

import org.jspecify.annotations.NullMarked;
