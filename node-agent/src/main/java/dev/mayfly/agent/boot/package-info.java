/**
 * Makes a machine fit for tasks before it takes any: devices, file systems, the cluster's image.
 *
 * <p>Start with {@link dev.mayfly.agent.boot.Preparation}; each {@link dev.mayfly.agent.boot.Step}
 * either works or names its cause.
 *
 * <p><b>Rule:</b> programs are run by argv arrays and with a time limit; no shell reads anything.
 */
@NullMarked
package dev.mayfly.agent.boot;

import org.jspecify.annotations.NullMarked;
