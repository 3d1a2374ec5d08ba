/** What is to be done in the world, as values. */
@NullMarked
package dev.mayfly.core.effect;

import org.jspecify.annotations.NullMarked;
