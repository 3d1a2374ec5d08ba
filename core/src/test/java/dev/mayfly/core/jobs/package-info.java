/**
 * What users ask of jobs: submit, expand, retry, finalize, follow logs.
 *
 * <p>Start with JobSubmission; a large job goes on with JobExpansion, and JobFinalization ends
 * every job.
 */
@NullMarked
package dev.mayfly.core.jobs;

import org.jspecify.annotations.NullMarked;
