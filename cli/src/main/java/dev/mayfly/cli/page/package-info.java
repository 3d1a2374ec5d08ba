/**
 * The page in the browser: {@code mayfly ui}.
 *
 * <p>Start with {@link dev.mayfly.cli.page.PageServer}. {@link dev.mayfly.cli.page.PageGuard}
 * decides who is answered; the files of the page are in {@code site} among the resources. What the
 * page shows comes from the read API and from stored logs, with the rights of the person who runs
 * the command.
 *
 * <p>A file of one job begins with {@link dev.mayfly.cli.page.JobExport}; {@link
 * dev.mayfly.cli.page.ExportedJob} is all that can be in it, and {@link
 * dev.mayfly.cli.page.ExportedPage} writes it.
 */
@NullMarked
package dev.mayfly.cli.page;

import org.jspecify.annotations.NullMarked;
