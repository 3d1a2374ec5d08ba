/** One job's life, as values. */
@NullMarked
package dev.mayfly.core.job;

import org.jspecify.annotations.NullMarked;
