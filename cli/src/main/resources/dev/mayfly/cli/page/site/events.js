// What happened, newest first.
import { html } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath } from './api.js';
import { inZone, moment, age } from './format.js';
import { exported } from './exported.js';
import { Link, to, ask } from './route.js';
import { Loaded, Long, Search, Table, TextRow, Title, useNarrow } from './parts.js';

/** What an event is about, as a link where there is a view of it. */
function About({ cluster, about }) {
  const [kind, ...rest] = about.split('/'), name = rest.join('/');
  if (kind === 'job' && name) return html`<${Link} parts=${['c', cluster, 'j', rest.at(-1)]}>${about}<//>`;
  if (kind === 'worker' && name) return html`<${Link} parts=${['c', cluster, 'w', name]}>${about}<//>`;
  return about;
}

export function EventTable({ cluster, events }) {
  const now = useNow(), narrow = useNarrow(560);
  return html`<${Table} label="Events" rows=${events.length} empty="Nothing has happened yet."
    head=${[['When', 'num'], ['About'], ['What'], ...(narrow ? [] : [['Why', 'wide']])]}>
    ${events.map((it) => html`<tr key=${it.id} class=${narrow ? 'above' : ''}><td class="num" title=${age(it.at, now) + ' ago'}>${moment(it.at, exported ? 0 : now)}</td>
      <td><${About} cluster=${cluster} about=${it.about} /></td><td>${it.what}</td>${!narrow && html`<td class="wide"><${Long} text=${inZone(it.why)} /></td>`}</tr>
      ${narrow && html`<${TextRow} columns=${3}><${Long} text=${inZone(it.why)} /><//>`}`)}
  <//>`;
}

export function Events({ cluster, query }) {
  const about = query.about ? '&about=' + encodeURIComponent(query.about) : '';
  const state = useApi(`${clusterPath(cluster)}/events?limit=500${about}`, 5);
  const text = (query.q ?? '').toLowerCase();
  return html`<${Title} text=${'Events of ' + cluster} />
    <div class="bar"><${Search} value=${query.q ?? ''} placeholder="worker, job, word" use=${(q) => ask({ q })} />
      ${query.about && html`<span>about ${query.about} · <a href=${to(['c', cluster, 'events'])}>all events</a></span>`}</div>
    <${Loaded} state=${state} what="Events">${(events) => html`<${EventTable} cluster=${cluster}
      events=${events.filter((it) => !text || `${it.about} ${it.what} ${it.why}`.toLowerCase().includes(text))} />
      ${events.length >= 500 && html`<p class="faint">The newest 500 events.</p>`}`}<//>`;
}
