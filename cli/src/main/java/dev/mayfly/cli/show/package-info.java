/**
 * What people see, made from values: pages of text, tables and progress.
 *
 * <p>Start with {@link dev.mayfly.cli.show.Screen}, which knows what can be shown, and {@link
 * dev.mayfly.cli.show.Table}.
 *
 * <p><b>Rule:</b> a page is a function of views, the time and a width, so that tests compare text.
 * What came from a task or a message goes through {@link dev.mayfly.cli.show.Printable} first.
 */
@NullMarked
package dev.mayfly.cli.show;

import org.jspecify.annotations.NullMarked;
