// Pictures of a sweep, drawn from its tasks.
import { html, useLayoutEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { number } from './format.js';

const NARROWEST = 280, WIDEST = 560, H = 300, LEFT = 56, RIGHT = 16, TOP = 14, BOTTOM = 40, MOST = 2_000, CHARACTER = 7.2;

/** A figure to measure, and the width in which its picture is drawn: its own where that is small, so that texts stay as large. */
function useWidth() {
  const figure = useRef(), [width, setWidth] = useState(WIDEST);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([it]) => setWidth(Math.max(NARROWEST, Math.min(WIDEST, Math.round(it.contentRect.width)))));
    watch.observe(figure.current);
    return () => watch.disconnect();
  }, []);
  return [figure, width];
}

/** So far apart are texts beside each other that can be read. */
const APART = 15;

/** Those that are far enough from the one before and from the last one, which stays with the first. */
function readable(ticks, at) {
  const kept = [], last = ticks.at(-1), far = (a, b) => Math.abs(at(a[1]) - at(b[1])) >= APART;
  for (const it of ticks.slice(0, -1)) if ((!kept.length || far(it, kept.at(-1))) && far(it, last)) kept.push(it);
  return last ? [...kept, last] : kept;
}

/** A scale of numbers, evenly or by powers of ten where they are far apart, or of words. */
export function scale(values, from, to) {
  const known = values.filter((it) => it !== undefined && it !== null && it !== '');
  const numbers = known.map(Number), numeric = known.length > 0 && numbers.every(Number.isFinite);
  if (!numeric) {
    const words = [...new Set(known)].sort(), step = (to - from) / Math.max(1, words.length);
    return { at: (it) => from + (words.indexOf(it) + 0.5) * step, ticks: words.map((it) => [it, it]) };
  }
  const distinct = [...new Set(numbers)].sort((a, b) => a - b), low = distinct[0], high = distinct.at(-1);
  const log = low > 0 && high / low >= 30, f = log ? Math.log10 : (it) => it, a = f(low), b = f(high);
  const at = (it) => from + (b === a ? 0.5 : 0.06 + 0.88 * ((f(Number(it)) - a) / (b - a))) * (to - from);
  const few = distinct.length <= 7 ? distinct : [0, 1, 2, 3, 4].map((i) => (log ? 10 ** (a + ((b - a) * i) / 4) : low + ((high - low) * i) / 4));
  return { at, log, ticks: readable(few.map((it) => [number(Number(it.toPrecision(3))), it]), at) };
}

/** A text of at most so many characters; one that is cut says so, and is whole when it is pointed at. */
export const short = (text, most) => (String(text).length > most ? `${String(text).slice(0, most - 1)}…` : String(text));
const label = (text, most) => (String(text).length > most ? html`${short(text, most)}<title>${text}</title>` : String(text));
const named = (name, scale) => (scale.log ? `${name} (logarithmic)` : name);

export const HUES = 12;
const hue = (list, it) => `hue${list.indexOf(it) % HUES}`;
const title = (task, metric) =>
  `task ${task.index}: ${metric} ${number(task.metrics?.[metric])}, ${Object.entries(task.variables).map(([k, v]) => `${k}=${v}`).join(' ')} (${task.state})`;

/** A metric over one variable; tasks of one place are moved aside a little, so that each is seen. Which one is pointed at, light is told. */
export function Scatter({ tasks, x, metric, colour, open, lit, light }) {
  const [figure, W] = useWidth(), points = tasks.filter((it) => Number.isFinite(it.metrics?.[metric])).slice(0, MOST);
  const up = useMemo(() => scale(points.map((it) => it.metrics[metric]), H - BOTTOM, TOP), [tasks, metric]);
  const left = Math.max(LEFT, 12 + CHARACTER * Math.max(...up.ticks.map(([name]) => name.length)));
  const across = useMemo(() => scale(points.map((it) => it.variables?.[x]), left, W - RIGHT), [tasks, x, metric, W]);
  const room = Math.floor((W - left - RIGHT) / Math.max(1, across.ticks.length) / CHARACTER);
  const colours = [...new Set(points.map((it) => it.variables?.[colour]))].sort();
  return html`<figure ref=${figure}><figcaption>${named(metric, up)} over ${named(x, across)}${colour && html`, by ${colour}: ${colours.slice(0, HUES).map((it) =>
      html`<span class=${'key ' + hue(colours, it)}>${it ?? '–'}</span>`)}`}</figcaption>
    <svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${`${points.length} tasks: ${metric} over ${x}; the table below has the numbers`}>
      <g class="axis">${up.ticks.map(([name, value]) => html`<line x1=${left} x2=${W - RIGHT} y1=${up.at(value)} y2=${up.at(value)} /><text x=${left - 8} y=${up.at(value) + 4} class="end">${name}</text>`)}
        ${across.ticks.map(([name, value]) => html`<text x=${across.at(value)} y=${H - BOTTOM + 18} class="mid">${label(name, Math.max(4, room))}</text>`)}
        <text x=${(left + W - RIGHT) / 2} y=${H - 4} class="mid">${named(x, across)}</text></g>
      ${points.map((it) => html`<circle key=${it.index} class=${`${hue(colours, it.variables?.[colour])}${lit === it.index ? ' lit' : ''}`} r=${lit === it.index ? 7 : 4.5}
        cx=${across.at(it.variables?.[x]) + ((it.index * 7) % 11) - 5} cy=${up.at(it.metrics[metric])} onClick=${() => open(it)}
        onMouseEnter=${() => light(it.index)} onMouseLeave=${() => light()}><title>${title(it, metric)}</title></circle>`)}</svg></figure>`;
}

/** A line for each task through its values, the metric last: bold ones are best looked at by hovering. */
export function Parallel({ tasks, names, metric, open, lit, light }) {
  const [figure, W] = useWidth(), lines = tasks.filter((it) => Number.isFinite(it.metrics?.[metric])).slice(0, MOST), axes = [...names, metric];
  const value = (task, name) => (name === metric ? task.metrics?.[name] : task.variables?.[name]);
  const scales = useMemo(() => axes.map((name) => scale(lines.map((it) => value(it, name)), H - BOTTOM, TOP)), [tasks, axes.join()]);
  const apart = (W - LEFT - 80) / Math.max(1, axes.length - 1), x = (i) => LEFT + i * apart;
  const room = (most) => Math.max(4, Math.min(most, Math.floor(apart / CHARACTER) - 1));
  const order = [...lines].sort((a, b) => a.metrics[metric] - b.metrics[metric]);
  const part = new Map(order.map((it, i) => [it.index, Math.floor((i * 5) / Math.max(1, order.length))]));
  const path = (task) => axes.map((name, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${scales[i].at(value(task, name)).toFixed(1)}`).join('');
  const drawn = lit === undefined ? lines : [...lines.filter((it) => it.index !== lit), ...lines.filter((it) => it.index === lit)];
  return html`<figure ref=${figure}><figcaption>Settings and ${metric}: <span class="key part0">lowest fifth</span> to <span class="key part4">highest</span></figcaption>
    <svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${`${lines.length} tasks as lines through ${axes.join(', ')}; the table below has the numbers`}>
      ${drawn.map((it) => html`<path key=${it.index} class=${`line part${part.get(it.index)}${lit === it.index ? ' lit' : ''}`} d=${path(it)}
        onMouseEnter=${() => light(it.index)} onMouseLeave=${() => light()} onClick=${() => open(it)}><title>${title(it, metric)}</title></path>`)}
      <g class="axis">${axes.map((name, i) => html`<line class="strong" x1=${x(i)} x2=${x(i)} y1=${TOP} y2=${H - BOTTOM} /><text x=${x(i)} y=${H - 12} class="mid">${label(scales[i].log ? `${name} (log)` : name, room(15))}</text>
        ${scales[i].ticks.map(([text, v]) => html`<text x=${x(i) + 6} y=${scales[i].at(v) + 4} class="halo">${label(text, room(10))}</text>`)}`)}</g></svg></figure>`;
}
