/**
 * Globs and templates that users write, and durations, amounts and progress as people read them.
 *
 * <p>Start with TaskTemplate.
 */
@NullMarked
package dev.mayfly.core.text;

import org.jspecify.annotations.NullMarked;
