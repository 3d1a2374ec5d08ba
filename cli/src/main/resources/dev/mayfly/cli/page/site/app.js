// The frame: where one is, what else there is, and who looks.
import { html, render, useEffect, useErrorBoundary } from './vendor/htm-preact.js';
import { useApi } from './api.js';
import { exported, hasView, only, simulation } from './exported.js';
import { useRoute, to } from './route.js';
import { Clusters, Cluster, Worker } from './clusters.js';
import { Jobs } from './jobs.js';
import { Job } from './job.js';
import { Events } from './events.js';
import { Costs } from './costs.js';
import { Title } from './parts.js';
import { Origin } from './origin.js';
import { zone } from './format.js';

/** An address of nothing, and what there is. */
const NoView = ({ cluster }) => html`<${Title} text="There is no such view" /><p>The address <code>${location.hash}</code> is none of this page. There is: ${
  cluster && html`<a href=${to(['c', cluster])}>cluster ${cluster}</a>, <a href=${to(['c', cluster, 'jobs'])}>its jobs</a>, `}<a href="#/">all clusters</a>.</p>`;

function View({ parts, query }) {
  const [kind, cluster, what, name, ...rest] = parts;
  if (kind === undefined) return html`<${Clusters} />`;
  if (kind !== 'c' || !cluster) return html`<${NoView} />`;
  if (what === undefined || what === 'timeline') return html`<${Cluster} key=${cluster} name=${cluster} tab=${what ?? 'workers'} query=${query} />`;
  if (what === 'jobs') return html`<${Jobs} key=${cluster} cluster=${cluster} query=${query} />`;
  if (what === 'events') return html`<${Events} key=${cluster} cluster=${cluster} query=${query} />`;
  if (what === 'cost') return html`<${Costs} key=${cluster} cluster=${cluster} query=${query} />`;
  if (what === 'w' && name) return html`<${Worker} key=${name} cluster=${cluster} name=${name} />`;
  if (what === 'j' && name) return html`<${Job} key=${name} cluster=${cluster} name=${name} parts=${rest} query=${query} />`;
  return html`<${NoView} cluster=${cluster} />`;
}

/** What a file has: all views of a simulated cluster, or the one job, whatever address its window has. */
function File({ parts, query }) {
  const { cluster, job } = exported, known = parts.length === 0 || hasView(parts);
  if (simulation) return html`<${View} parts=${parts} query=${query} />`;
  return known ? html`<${Job} key=${job.uid} cluster=${cluster} name=${job.uid} parts=${parts.slice(4)} query=${query} />`
    : html`<h1>This file has no such view</h1><p><a href="#/">Job ${job.name}</a> is all that it has; <code>mayfly ui</code> shows the others.</p>`;
}

function Guarded({ route }) {
  const [failed, reset] = useErrorBoundary();
  useEffect(reset, [route]);
  if (!failed) return exported ? html`<${File} ...${route} />` : html`<${View} ...${route} />`;
  return html`<div class="trouble" role="alert"><strong>This view failed, which is a bug in the page:</strong> ${String(failed)}.
    <button type="button" onClick=${reset}>Try again</button></div>`;
}

// A file has the picture in it.
const icon = document.querySelector('link[rel=icon]').href;

/** Clears what was looked for, and goes back to the view. */
function leave(event) {
  const search = event.target;
  event.preventDefault();
  search.value = '';
  search.dispatchEvent(new Event('input', { bubbles: true }));
  // The arrows go on in the list that was looked through.
  (document.querySelector('main .rows, main .scroll') ?? document.getElementById('main')).focus({ preventScroll: true });
}

function Frame() {
  const route = useRoute(), viewer = useApi('/viewer', 0).data, [kind, cluster, what] = route.parts;
  const place = route.parts.join('/');
  useEffect(() => {
    scrollTo(0, 0);
  }, [place]);
  useEffect(() => {
    const keys = (event) => {
      if (event.key === 'Escape' && event.target.matches?.('[data-search]')) return leave(event);
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, textarea')) return;
      const search = document.querySelector('[data-search]');
      if (search) event.preventDefault(), search.focus(), search.select();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
  const skip = (event) => (event.preventDefault(), document.getElementById('main').focus());
  const link = (name, parts, current) => html`<a href=${to(parts)} aria-current=${current ? 'page' : undefined}>${name}</a>`;
  return html`<a class="skip" href="#main" onClick=${skip}>To the content</a>
    <header><a class="brand" href="#/"><img src=${icon} alt="" width="22" height="22" /> Mayfly</a>
      ${only ? html`<span class="grows"></span>` : html`<nav aria-label="Views">${link('Clusters', [], kind === undefined)}${kind === 'c' && html`${link(cluster, ['c', cluster], !what)}
        ${link('Timeline', ['c', cluster, 'timeline'], what === 'timeline')}${link('Jobs', ['c', cluster, 'jobs'], what === 'jobs' || what === 'j')}
        ${link('Events', ['c', cluster, 'events'], what === 'events')}${link('Cost', ['c', cluster, 'cost'], what === 'cost')}`}</nav>`}
      <span class="viewer">${viewer && html`${viewer.user ?? ''}${viewer.user ? ' · ' : ''}${simulation ? 'simulation' : viewer.laptop ? 'laptop cloud' : viewer.project} · `}times: ${zone()}</span></header>
    <main id="main" tabindex="-1">${exported && html`<${Origin} first=${kind === undefined} />`}<${Guarded} route=${route} /></main>`;
}

const root = document.getElementById('page');
root.textContent = '';
render(html`<${Frame} />`, root);
