/** One worker's life, as values. */
@NullMarked
package dev.mayfly.core.worker;

import org.jspecify.annotations.NullMarked;
