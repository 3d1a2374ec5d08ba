/**
 * Validates users' documents and converts them into commands: schemas, checks, and errors with a
 * remedy.
 *
 * <p>Start with {@link dev.mayfly.wire.document.DocumentValidator}, which reports all problems of
 * all documents at once.
 */
@NullMarked
package dev.mayfly.wire.document;

import org.jspecify.annotations.NullMarked;
