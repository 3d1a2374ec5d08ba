/**
 * Rules about who may end tasks and workers.
 *
 * <p>Start with {@link dev.mayfly.arch.ends.EndingRulesTest}.
 */
@NullMarked
package dev.mayfly.arch.ends;

import org.jspecify.annotations.NullMarked;
