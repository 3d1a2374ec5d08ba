/** What the agent needs of the operating system: processes, files, the metadata server. */
@NullMarked
package dev.mayfly.agent.os;

import org.jspecify.annotations.NullMarked;
