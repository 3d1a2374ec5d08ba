/**
 * Who may call what listens on loopback: not the web pages in the user's browser, and no other user
 * of the machine.
 *
 * <p>Start at AccessGuard; AccessLevel says what each path requires, LocalAccounts names the
 * service accounts of machines and functions.
 */
@NullMarked
package dev.mayfly.local.access;

import org.jspecify.annotations.NullMarked;
