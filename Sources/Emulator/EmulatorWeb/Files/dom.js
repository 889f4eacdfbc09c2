// The only place that creates elements. Text of messages never becomes markup, because this file
// inserts it as text nodes only.

/** Creates an element with attributes and children, which are elements, texts or empty. */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== null && child !== ''));
  return element;
}

export const find = id => document.getElementById(id);

/** Untrusted text, isolated because its writing direction is unknown. */
export const foreign = text => make('bdi', {}, text);

/** The local time of an instant. */
export function clock(instant, hasSeconds) {
  const second = hasSeconds ? '2-digit' : undefined;
  const text = new Date(instant).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second, hourCycle: 'h23' });
  return make('time', { datetime: instant }, text);
}

/** “1 phone”, “2 phones”. */
export const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
