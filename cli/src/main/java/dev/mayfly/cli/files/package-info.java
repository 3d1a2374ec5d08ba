/**
 * Folders of this computer: what is in them, for walks that store them, and how they are deleted.
 *
 * <p>Start with {@link dev.mayfly.cli.files.LocalTree}.
 */
@NullMarked
package dev.mayfly.cli.files;

import org.jspecify.annotations.NullMarked;
