/**
 * State that survives the process: {@link dev.mayfly.local.cloud.files.DocumentFolder}.
 *
 * <p><b>Rule:</b> a reader sees a whole document, the old or the new; nothing here knows what is in
 * it.
 */
@NullMarked
package dev.mayfly.local.cloud.files;

import org.jspecify.annotations.NullMarked;
