/**
 * What every command is given: {@link dev.mayfly.cli.context.CliContext}, the shared options and
 * the files of documents.
 *
 * <p>Start with {@link dev.mayfly.cli.context.CliContext}, which reads and connects nothing before
 * it is asked for it.
 */
@NullMarked
package dev.mayfly.cli.context;

import org.jspecify.annotations.NullMarked;
