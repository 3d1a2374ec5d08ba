// One plot of lines over time or over steps.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import uPlot from './vendor/uplot.js';
import { moment, number } from './format.js';
import { loneOf } from './lines.js';

/** The most lines that can be told apart. */
export const LINES = 12;

/** Steps of an axis that counts. */
const WHOLE = [1, 2, 5].flatMap((it) => [0, 1, 2, 3, 4, 5, 6].map((n) => it * 10 ** n)).sort((a, b) => a - b);

const HUES = 12, colours = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Steps of an axis of time, in seconds: closer ones than uPlot's own, so that a short span has a label on a narrow window. */
const SPANS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2592000];

/** Half of what a mark's time takes, which would be cut at the right edge. */
const HALF = 18;

/** Marks on an axis of time, with the day where it begins or changes; uPlot has only the American way. */
function times(u, marks, axis, space, every) {
  let before;
  return marks.map((it) => {
    if (u.series[0].tight && u.valToPos(it, 'x') > u.bbox.width / (devicePixelRatio || 1) - HALF) return '';
    const [day, time] = moment(it * 1000, 0).split(' '), shown = every < 60 ? time : time.slice(0, 5);
    const said = day === before ? shown : `${shown}\n${day}`;
    before = day;
    return said;
  });
}

/** Where a line is marked, of the values that its axis has. */
const resumedAt = (data, n, marks) => marks.map((it) => data[0].indexOf(it)).filter((it) => it >= 0 && data[n][it] !== undefined && data[n][it] !== null);

/** Part of a colour. */
const PALE = '70';

const DASHES = [undefined, [7, 3], [2, 3], [10, 3, 2, 3]];

function line(series, i, steps, marks) {
  const { label, hue = i, dash = i % 2, pale = false } = typeof series === 'string' ? { label: series } : series;
  return { label, stroke: colours('--hue' + (hue % HUES)) + (pale ? PALE : ''), dash: DASHES[dash % DASHES.length], width: 1.6,
    value: (_, it) => (it === null || it === undefined ? '' : number(it)),
    // A value with nothing beside it is seen too.
    points: { show: true, size: 9, filter: (u, n) => [...new Set([...resumedAt(u.data, n, marks ?? []), ...loneOf(u.data[n])])].sort((a, b) => a - b) },
    paths: steps ? uPlot.paths.stepped({ align: 1 }) : undefined };
}

/** A cross with words where a line has its last number. */
const crosses = (ends) => (u) => {
  const { ctx } = u, dense = devicePixelRatio || 1, arm = 5 * dense;
  ctx.save();
  ctx.lineWidth = 2.5 * dense;
  ctx.font = `${12 * dense}px system-ui`;
  const said = [];
  for (const [i, end] of ends.entries()) {
    if (!end || !u.series[i + 1].show || !(end.x >= u.scales.x.min && end.x <= u.scales.x.max)) continue;
    const x = u.valToPos(end.x, 'x', true), y = u.valToPos(end.y, 'y', true), right = x + 60 * dense > u.bbox.left + u.bbox.width;
    ctx.strokeStyle = ctx.fillStyle = colours('--bad');
    ctx.beginPath();
    ctx.moveTo(x - arm, y - arm), ctx.lineTo(x + arm, y + arm), ctx.moveTo(x - arm, y + arm), ctx.lineTo(x + arm, y - arm);
    ctx.stroke();
    // Beside one that is written it is told by its cross alone: all of them are listed below.
    if (said.some(([a, b]) => Math.abs(a - x) < 34 * dense && Math.abs(b - y) < 13 * dense)) continue;
    said.push([x, y]);
    ctx.textAlign = right ? 'right' : 'left';
    ctx.fillText('NaN', x + (right ? -2 : 2) * arm, y - arm);
  }
  ctx.restore();
};

/**
 * Made anew where its lines are others, else given its numbers. With a fan its last two lines are the edges of what may
 * come, and what is between them is shaded. With a view it shows that span and no other, and begins left of it as far as
 * left says of its width: as what is above it. With most its lines count, from 0 to that. Lines are labels, or { label, hue, dash }; ends has where a line's numbers end before it does.
 */
export function Plot({ label, series, data, time, over, steps, fan, view, left, title, marks, log = false, ends = [], most }) {
  const box = useRef(), plot = useRef(), seen = useRef(), key = JSON.stringify([series, time, over, fan, title, marks, log, ends, most]);
  seen.current = view && [view.from / 1000, view.to / 1000];
  useEffect(() => {
    const ink = colours('--ink'), grid = { stroke: colours('--line'), width: 1 }, axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui', labelFont: '12px system-ui', labelSize: 20 };
    const edge = series.length - 2, isEdge = (i) => fan && i >= edge;
    plot.current = new uPlot({ width: box.current.clientWidth, height: 280, scales: { x: { time, ...(view && { range: () => seen.current }) }, ...(log && { y: { distr: 3, log: 10 } }), ...(most && { y: { range: [0, most * 1.04] } }) }, hooks: { draw: [crosses(ends), (u) => (box.current.dataset.most = u.scales.y.max)] }, cursor: { drag: { x: !view, y: false } },
      ...(view && { padding: [null, 0, null, 0] }),
      legend: { show: series.filter((it) => !it.pale).length <= LINES, live: true }, axes: [time ? { ...axis, space: box.current.clientWidth < 560 ? 66 : 80, incrs: SPANS, values: times } : { ...axis, label: over ?? 'step' }, { ...axis, ...(most && { incrs: WHOLE }), label: title, size: () => (left?.(box.current.clientWidth) ?? 84) - 20, values: (_, all) => all.map((it) => (it === null ? '' : number(it))) }],
      bands: fan ? [{ series: [edge + 1, edge + 2], fill: colours('--fan') }] : [],
      series: [time ? { label: 'time', tight: Boolean(view), value: (_, at) => (at ? moment(at * 1000, 0) : '') } : { label: over ?? 'step' },
        ...series.map((it, i) => (isEdge(i) ? { ...line(it, 0, false), dash: [3, 4], width: 1 } : line(it, i, steps, marks?.[i])))] }, data, box.current);
    const watch = new ResizeObserver(() => plot.current.setSize({ width: box.current.clientWidth, height: 280 }));
    watch.observe(box.current);
    return () => {
      watch.disconnect();
      plot.current.destroy();
    };
  }, [key]);
  useEffect(() => plot.current.setData(data), [data]);
  useEffect(() => view && plot.current.setScale('x', { min: seen.current[0], max: seen.current[1] }), [view?.from, view?.to]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${label}></div>`;
}
