// What a sweep's overview says of its result: which setting is best, in figures.
import { html } from './vendor/htm-preact.js';
import { count, number } from './format.js';
import { to } from './route.js';
import { goingOf, settingAsked, settingOf, standing, counted, spread } from './groups.js';
import { Lead } from './settings.js';
import { useRanking } from './sweep.js';

const MOST_TIED = 4;

/** A mean, with its spread where there are several. */
function Mean({ group, metric, diverged }) {
  const { mean, sd, n } = spread(counted(group, metric, diverged));
  return `${number(mean)}${sd === undefined ? '' : ` ± ${number(Number(sd.toPrecision(2)))} over ${count(n, 'task')}`}`;
}

/**
 * The best setting of a job whose tasks were compared, or the one that leads while they run; nothing of a job that compares
 * none.
 *
 * @param read all of its tasks, as far as they are read
 */
export function Winner({ job, read }) {
  const { by, all, metric, direction, diverged, past } = useRanking(job, read, {}), sweep = to(['c', job.cluster, 'j', job.uid, 'sweep']);
  if (!read.complete || !past.ready || all.length < 2 || !by.length || metric === undefined) return null;
  const { best, lead } = standing(all, metric, direction, diverged), open = goingOf(all) > 0, end = direction.low ? 'lowest' : 'highest';
  if (direction.unknown) return html`<dt>best</dt><dd>not known: the name of ${metric} does not tell whether its lowest or its highest is best; <a href=${sweep}>say it beside its table</a></dd>`;
  if (!best.length) return null;
  const named = (group) => html`<a href=${to(['c', job.cluster, 'j', job.uid, 'tasks'], settingAsked(group[0], by))}>${settingOf(group[0], by)}</a>`;
  const told = html` (${direction.said}; <a href=${sweep}>all ${count(all.length, 'setting')}</a>)`;
  return html`<dt>${open ? 'leads so far' : 'best'}</dt><dd>${best.length > 1
    ? html`${count(best.length)} settings tie with the ${end} mean ${metric}, ${number(spread(counted(best[0], metric, diverged)).mean)}: ${best.slice(0, MOST_TIED).map((it, i) => html`${i ? '; ' : ''}${named(it)}`)}${best.length > MOST_TIED ? ' …' : ''}${told}`
    : html`${named(best[0])}: ${metric} <${Mean} group=${best[0]} metric=${metric} diverged=${diverged} />${told}. ${lead && html`<${Lead} lead=${lead} by=${by} />`}`}</dd>`;
}
