/**
 * What gives way to other jobs: unstarted tasks ({@link
 * dev.mayfly.core.reconcile.preemption.LeasePreemption}), and running ones ({@link
 * dev.mayfly.core.reconcile.preemption.RunningPreemption}). The plan decides; this acts.
 */
@NullMarked
package dev.mayfly.core.reconcile.preemption;

import org.jspecify.annotations.NullMarked;
