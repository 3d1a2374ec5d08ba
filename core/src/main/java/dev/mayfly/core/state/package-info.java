/**
 * What several packages of the control plane share: its context and times, documents that can be
 * rebuilt, failures of one pass, and lookups by name.
 *
 * <p>Start with {@link dev.mayfly.core.state.Context} and {@link
 * dev.mayfly.core.state.TriggerSender}.
 */
@NullMarked
package dev.mayfly.core.state;

import org.jspecify.annotations.NullMarked;
