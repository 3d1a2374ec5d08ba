// Each view has its address, which can be sent: #/c/lab/j/j9/tasks?state=failed
import { html, useState, useEffect } from './vendor/htm-preact.js';
import { hasView } from './exported.js';

export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split('?');
  const parts = path.split('/').filter(Boolean).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view; only what is asked for is in it. */
export function to(parts, query = {}) {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return '#/' + parts.map(encodeURIComponent).join('/') + (asked.length ? '?' + new URLSearchParams(asked) : '');
}

/** A link to a view, or its name alone where a file has no such view. */
export const Link = ({ parts, children }) => (hasView(parts) ? html`<a href=${to(parts)}>${children}</a>` : children);

export function useRoute() {
  const [route, setRoute] = useState(parse(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parse(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** Changes what is asked of the view that is seen, without a step for the way back. */
export function ask(query) {
  const { parts, query: old } = parse(location.hash);
  history.replaceState(null, '', to(parts, { ...old, ...query }));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
