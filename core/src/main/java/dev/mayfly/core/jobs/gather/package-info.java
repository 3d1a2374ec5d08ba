/**
 * What one task reads as a folder: start with {@link
 * dev.mayfly.core.jobs.gather.GatheredInputsBuilder}, which names the files and refuses what no
 * folder can hold.
 */
@NullMarked
package dev.mayfly.core.jobs.gather;

import org.jspecify.annotations.NullMarked;
