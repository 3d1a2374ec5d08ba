// Some of the tasks that a file has, as the read API would answer.

/** Where a list goes on that the file has not whole: nowhere, and it is not all. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/**
 * @param all how many tasks the job has
 */
export function pageOf(tasks, query, all = 0) {
  const from = Number(query.get('from') ?? 0), state = query.get('state') ?? '', limit = Number(query.get('limit') ?? 100);
  const first = tasks.findIndex((it) => it.index >= from), rest = first < 0 ? [] : tasks.slice(first);
  const fit = state ? rest.filter((it) => it.state === state) : rest;
  return { tasks: fit.slice(0, limit), next: fit[limit]?.index ?? (tasks.length < all && from < BEYOND ? BEYOND : undefined) };
}
