/**
 * What becomes of the entries of a folder that is stored: a task's output or checkpoint, a job's
 * code, a folder that is copied. The one policy of every such walk.
 *
 * <p>Start with {@link dev.mayfly.core.files.FolderWalk}. {@link
 * dev.mayfly.core.files.StoragePolicy} says what may be left out, and where that is refused.
 *
 * <p><b>Rule:</b> each entry is stored, refused or left out with its name, and none is dropped.
 */
@NullMarked
package dev.mayfly.core.files;

import org.jspecify.annotations.NullMarked;
