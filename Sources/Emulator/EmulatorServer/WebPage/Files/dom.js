// Elements are made here alone. What a message says only ever becomes text: there is no place where
// it could become markup.

/** An element with attributes and children; children are elements, texts, or nothing. */
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

/** Text of a stranger, in whichever direction it is written. */
export const foreign = text => make('bdi', {}, text);

/** A moment as a clock on the wall shows it. */
export function clock(instant, hasSeconds) {
  const second = hasSeconds ? '2-digit' : undefined;
  const text = new Date(instant).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second, hourCycle: 'h23' });
  return make('time', { datetime: instant }, text);
}

/** “1 phone”, “2 phones”. */
export const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
