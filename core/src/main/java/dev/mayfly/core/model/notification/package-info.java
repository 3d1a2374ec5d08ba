/**
 * What people are told of without asking: an ended job, a lost reservation, a bad node.
 *
 * <p>Start with {@link dev.mayfly.core.model.notification.Notification}.
 */
@NullMarked
package dev.mayfly.core.model.notification;

import org.jspecify.annotations.NullMarked;
