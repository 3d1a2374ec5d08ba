/**
 * Access control for servers on loopback: refuses web pages in the user's browser and other users
 * of the machine.
 *
 * <p>Start at AccessGuard; AccessLevel says what each path requires, LocalAccounts names the
 * service accounts of machines and functions.
 */
@NullMarked
package dev.mayfly.local.access;

import org.jspecify.annotations.NullMarked;
