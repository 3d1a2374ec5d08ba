/**
 * What users ask of jobs: submit, start after others, expand, retry, finalize.
 *
 * <p>Start with {@link dev.mayfly.core.jobs.JobSubmission}; a large job continues with {@link
 * dev.mayfly.core.jobs.JobExpansion}, and {@link dev.mayfly.core.jobs.JobFinalization} ends every
 * job.
 */
@NullMarked
package dev.mayfly.core.jobs;

import org.jspecify.annotations.NullMarked;
