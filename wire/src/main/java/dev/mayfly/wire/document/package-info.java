/**
 * Users' documents: what is allowed in them, and the commands that they become.
 *
 * <p>Start with {@link dev.mayfly.wire.document.Checked}. The schemas of {@code schemas/} say what
 * each field may be; {@link dev.mayfly.wire.document.Complaints} puts what they find into sentences
 * with a remedy. What a schema cannot say (names that must differ, placeholders, a machine's shape)
 * is checked where the command is made. All problems of all documents come at once.
 */
@NullMarked
package dev.mayfly.wire.document;

import org.jspecify.annotations.NullMarked;
