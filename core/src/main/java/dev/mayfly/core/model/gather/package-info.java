/**
 * The inputs of a task that reads many objects as a folder: {@link
 * dev.mayfly.core.model.gather.GatheredInputs}.
 */
@NullMarked
package dev.mayfly.core.model.gather;

import org.jspecify.annotations.NullMarked;
