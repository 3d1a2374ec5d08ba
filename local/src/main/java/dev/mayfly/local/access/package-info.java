/**
 * Who may call what listens on loopback: not the web pages in the user's browser, and no other user
 * of the machine.
 *
 * <p>Start at {@link dev.mayfly.local.access.AccessGuard}; {@link
 * dev.mayfly.local.access.AccessLevel} says what each path requires, {@link
 * dev.mayfly.local.access.LocalAccounts} names the service accounts of machines and functions.
 */
@NullMarked
package dev.mayfly.local.access;

import org.jspecify.annotations.NullMarked;
