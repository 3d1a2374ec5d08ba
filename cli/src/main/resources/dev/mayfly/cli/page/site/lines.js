// What a curve leaves out and where it ends, as values: pure, so that a test can ask it.
export const SCALES = { '': 'linear', log: 'logarithmic' };

const KNOWN = { linear: '', log: 'log' };

/** The scale that an address asks for; a word that is none, and values that it cannot show, are said. */
export function scaleOf(asked = '', [, ...lines] = []) {
  const name = asked in SCALES ? asked : KNOWN[asked];
  if (name === undefined) return { name: '', log: false, said: `scale=${asked} in the address is none: linear or log. This is linear.` };
  const positive = lines.some((line) => line.some((it) => it > 0));
  return name && !positive ? { name, log: false, said: 'No value is above 0, so that none is on a logarithmic scale. This is linear.' } : { name, log: Boolean(name) };
}

/** How many values a logarithmic scale hides. */
export const hiddenBy = ([, ...lines]) => lines.reduce((n, line) => n + line.filter((it) => it !== null && it <= 0).length, 0);

const middle = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/**
 * The line with a gap before each point where an attempt resumed further on than the last one was known to be: what was
 * stored of that ends minutes before its loss. By time there is one before each. `gaps` has where they begin and end.
 */
export function gapped(line, over) {
  if (!line.joints?.length) return { ...line, gaps: [] };
  const at = (point) => (over ? point.metrics[over] : point.at), { points } = line, marks = new Set(line.joints), gaps = [];
  const steps = points.slice(1).map((it, i) => [it, at(it) - at(points[i])]).filter(([it, step]) => !marks.has(it) && step > 0).map(([, step]) => step);
  const usual = over && steps.length ? middle(steps) : 0;
  const broken = points.flatMap((it, i) => {
    const apart = i && marks.has(it) ? at(it) - at(points[i - 1]) : 0;
    if (!(apart > 1.5 * usual)) return [it];
    const between = at(points[i - 1]) + apart / 2;
    gaps.push([at(points[i - 1]), at(it)]);
    return [over ? { at: it.at, metrics: { [over]: between } } : { at: between, metrics: {} }, it];
  });
  return { ...line, points: broken, gaps };
}

/**
 * Where a metric has its last number of the newest attempt, if rows without one come after it: a row has the newest value
 * of each name, unless that is NaN or an infinity.
 */
export function endsOf(line, metric, over) {
  const from = line.joints?.length ? line.points.indexOf(line.joints.at(-1)) : 0, points = line.points.slice(from);
  const last = points.findLastIndex((it) => Number.isFinite(it.metrics[metric])), end = points[last];
  if (!end || last === points.length - 1) return undefined;
  return { x: over ? end.metrics[over] : end.at / 1000, y: end.metrics[metric] };
}

/** Where a line has a number with a gap, or nothing, on both sides: no line is drawn there. What is undefined is no gap. */
export function loneOf(line) {
  const known = line.map((it, i) => [it, i]).filter(([it]) => it !== undefined), none = (it) => it === undefined || it[0] === null;
  return known.filter(([it], n) => it !== null && none(known[n - 1]) && none(known[n + 1])).map(([, i]) => i);
}

const words = (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`);

/**
 * Which tasks are not among the best and the worst, because they have no newest value that counts; empty where all have one.
 *
 * @param isOff whether a task diverged, which counts for no metric
 */
export function leftOut(tasks, isOff) {
  const off = tasks.filter(isOff).length, failed = tasks.filter((it) => !isOff(it) && it.state === 'failed').length, other = tasks.length - off - failed;
  const parts = [[off, 'diverged'], [failed, 'failed'], [other, 'other']].filter(([n]) => n > 0).map(([n, what]) => `${n.toLocaleString('en-US')} ${what}`);
  return tasks.length ? `${words(parts)} ${tasks.length === 1 ? 'task has no newest value that counts and is' : 'tasks have no newest value that counts and are'} left out` : '';
}
