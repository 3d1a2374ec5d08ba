/**
 * What needs no control plane: files of documents are written and checked.
 *
 * <p>Start with {@link dev.mayfly.cli.document.ValidateCommand}.
 */
@NullMarked
package dev.mayfly.cli.document;

import org.jspecify.annotations.NullMarked;
