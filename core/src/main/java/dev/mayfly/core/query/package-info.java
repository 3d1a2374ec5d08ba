/**
 * What users ask about the state; reads only.
 *
 * <p>Start with {@link dev.mayfly.core.query.StatusQueries}; {@link
 * dev.mayfly.core.query.JobExplainer} says why a job waits, and each *Reasons class knows one kind
 * of reason.
 */
@NullMarked
package dev.mayfly.core.query;

import org.jspecify.annotations.NullMarked;
