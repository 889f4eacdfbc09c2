// The page's address: the view, its item, and its filters. Every state of the page has a link.

const views = ['phones', 'requests', 'send', 'faults', 'settings'];

/** Returns the view, the item and the query of the address, `#/VIEW/ITEM?NAME=VALUE`. */
export function address() {
  const [path, query = ''] = location.hash.slice(1).split('?', 2);
  const [view, item] = path.split('/').filter(Boolean).map(decoded);
  return { view: views.includes(view) ? view : 'phones', item, query: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The selected project, or an empty text for the default project. */
export const project = () => address().query.get('project') ?? '';

/** The name of the default project, or an empty text if it has none. */
export const names = { default: '' };

/** Returns a link to a view of the selected project. */
export function link(view, item, query = {}) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries({ project: project(), ...query })) if (value) all.set(name, value);
  const text = all.toString();
  return `#/${view}${item === undefined ? '' : '/' + encodeURIComponent(item)}${text ? '?' + text : ''}`;
}

/** Changes the query of the address without a new entry in the browser's history. */
export function setQuery(changes) {
  const { view, item, query } = address();
  const all = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, '', link(view, item, all));
}
