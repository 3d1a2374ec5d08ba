/**
 * The control plane of one function instance, made from its ports, and the way from a message to
 * the use case that it asks for.
 *
 * <p>Start with {@link dev.mayfly.core.control.ControlPlane}, then {@link
 * dev.mayfly.core.control.CommandHandler}.
 */
@NullMarked
package dev.mayfly.core.control;

import org.jspecify.annotations.NullMarked;
