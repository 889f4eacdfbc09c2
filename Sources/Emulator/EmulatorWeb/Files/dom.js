// The only place that creates elements. Text of messages never becomes markup, because this file
// inserts it as text nodes only.

/** Creates an element with attributes and children, which are elements, texts or empty. */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter(child => child !== undefined && child !== null && child !== '' && child !== false));
  return element;
}

export const find = id => document.getElementById(id);

/** Untrusted text, isolated because its writing direction is unknown. */
export const foreign = text => make('bdi', {}, text);

/** The local time of an instant. */
export function clock(instant, hasSeconds) {
  const second = hasSeconds ? '2-digit' : undefined;
  const text = new Date(instant).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second, hourCycle: 'h23' });
  return make('time', { datetime: instant, title: instant }, text);
}

/** The local date and time of an instant. */
export function moment(instant) {
  const day = new Date(instant).toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return make('span', {}, `${day}, `, clock(instant, true));
}

/** “1 phone”, “2 phones”. */
export const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** A table of names and values, without rows that have no value. */
export function facts(heading, values) {
  const rows = values.filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (rows.length === 0) return null;
  return make('table', { class: 'facts', 'aria-labelledby': heading }, make('tbody', {}, rows.map(([name, value]) =>
    make('tr', {}, make('th', { scope: 'row' }, name), make('td', { dir: typeof value === 'string' ? 'auto' : null }, value)))));
}

/** A labelled field of a form. */
export function field(label, control, hint) {
  if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return make('div', { class: 'field' }, make('label', { for: control.id }, label), control,
    hint ? make('small', { class: 'quiet', id: `${control.id}-hint` }, hint) : null);
}

export const option = (value, text, isSelected) => make('option', { value, selected: isSelected }, text);

/** Formatted JSON. */
export const code = (value, label) => make('pre', { tabindex: 0, role: 'region', 'aria-label': label },
  typeof value === 'string' ? value : JSON.stringify(value, null, 2));
