// Faults as controls: presets, a rule by fields, and the whole script as JSON.

import * as control from './control.js';
import { field, find, foreign, make, option } from './dom.js';

let attempt;
let script = { rules: [] };

const errors = [
  ['UNAVAILABLE', '503 unavailable'], ['INTERNAL', '500 internal error'], ['QUOTA_EXCEEDED', '429 quota of a topic or device exceeded'],
  ['PROJECT_QUOTA_EXCEEDED', '429 quota of the project exceeded'], ['UNREGISTERED', '404 unregistered'],
  ['INVALID_ARGUMENT', '400 invalid argument'], ['SENDER_ID_MISMATCH', '403 sender ID mismatch'],
  ['THIRD_PARTY_AUTH_ERROR', '401 APNs or web push credentials'], ['EXPIRED_TOKEN', '401 expired access token'],
  ['SERVICE_DISABLED', '403 API not enabled'], ['APNS_UNREGISTERED', '400 APNs: unregistered'],
  ['APNS_TOO_MANY_REQUESTS', '429 APNs: too many requests'], ['TOO_MANY_TOPICS', '400 too many topics'],
];
const deliveries = {
  delay: ['the real answer after a delay', { delay_milliseconds: 5000 }],
  slow: ['the real answer, byte by byte', { bytes_per_second: 20 }],
  never: ['no answer', { never: true }],
  reset: ['a reset connection', { reset_connection: true }],
  goAway: ['GOAWAY without an answer', { go_away: { last_stream: 'BEFORE_THIS' } }],
  truncated: ['a cut-off answer', { truncate_after_bytes: 10 }],
};
const services = [['SEND', 'sends'], ['MEMBERSHIP', 'subscriptions'], ['INSTANCE_ID', 'Instance ID'], ['TOKEN', 'access tokens'], ['ANY', 'all requests']];

/** Shows the rules and the form. */
export async function show(perform) {
  attempt = perform;
  find('faults').replaceChildren(
    make('div', { class: 'head' }, make('h1', { id: 'faults-heading', tabindex: -1 }, 'Faults'),
      make('p', { class: 'quiet' }, 'Make the emulator fail as FCM does. The control API never fails.')),
    make('section', { class: 'card', 'aria-labelledby': 'rules-heading' },
      make('h2', { id: 'rules-heading' }, 'Rules'), make('div', { id: 'rules' })),
    make('div', { class: 'sides even' }, form(), editor()));
  await attempt(() => look(true));
}

/** Refreshes the counters. `isNew`: also the script in the editor. */
export async function look(isNew = false) {
  const current = await control.faults();
  const text = JSON.stringify(current.rules.map(plain));
  const isOther = text !== JSON.stringify(script.rules.map(plain));
  script = current;
  find('fault-count').textContent = current.rules.length > 0 ? String(current.rules.length) : '';
  if (find('faults').hidden || !find('rules')) return;
  if (isNew || isOther) {
    draw();
    if (document.activeElement !== find('fault-script')) {
      find('fault-script').value = JSON.stringify({ seed: current.seed, rules: current.rules.map(plain) }, null, 2);
    }
  } else {
    for (const [index, rule] of current.rules.entries()) {
      find(`matched-${index}`).textContent = rule.matched.toLocaleString('en');
      find(`fired-${index}`).textContent = rule.fired.toLocaleString('en');
    }
  }
}

/** A rule as it was written, without its counters. */
const plain = ({ matched, fired, ...rule }) => rule;

function draw() {
  const rows = script.rules.map((rule, index) => {
    const remove = make('button', { type: 'button', 'aria-label': `Remove rule ${rule.id}` }, 'Remove');
    remove.addEventListener('click', () => replace(script.rules.filter(one => one !== rule)));
    return make('tr', {}, make('th', { scope: 'row' }, foreign(rule.id)), make('td', {}, described(rule.match) || 'every request'),
      make('td', {}, described(rule.when) || 'always'), make('td', {}, consequence(rule)),
      make('td', { id: `matched-${index}` }, rule.matched.toLocaleString('en')),
      make('td', { id: `fired-${index}` }, rule.fired.toLocaleString('en')), make('td', {}, remove));
  });
  const clear = make('button', { type: 'button', class: 'danger' }, 'Remove all');
  clear.addEventListener('click', () => attempt(async () => { await control.clearFaults(); await look(true); }));
  find('rules').replaceChildren(...(rows.length === 0 ? [make('p', { class: 'quiet' }, 'No faults: every request gets its real answer.')] : [
    make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of rules' },
      make('table', { class: 'rules', 'aria-labelledby': 'rules-heading' },
        make('thead', {}, make('tr', {}, ['Rule', 'Requests', 'When', 'Fault', 'Matched', 'Fired'].map(text => make('th', { scope: 'col' }, text)),
          make('td', {}))),
        make('tbody', {}, rows))),
    make('p', { class: 'buttons' }, clear)]));
}

const described = part => Object.entries(part ?? {})
  .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'object' ? described(value) : value}`).join(', ');

function consequence(rule) {
  const texts = [described(rule.answer), described(rule.delivery)];
  if (rule.accepted) texts.push('performed nevertheless');
  if (rule.duplicate) texts.push('delivered twice');
  return texts.filter(Boolean).join('; ') || 'quota';
}

function form() {
  const element = make('form', { class: 'card', 'aria-labelledby': 'fault-heading' },
    make('h2', { id: 'fault-heading' }, 'Add a rule'),
    field('Fault', make('select', { id: 'fault-what' },
      make('optgroup', { label: 'Answer' }, errors.map(([value, text]) => option(value, text))),
      make('optgroup', { label: 'Delivery' }, Object.entries(deliveries).map(([value, [text]]) => option(value, text))))),
    make('div', { class: 'row' },
      field('Requests', make('select', { id: 'fault-service' }, services.map(([value, text]) => option(value, text)))),
      field('Topic', make('input', { id: 'fault-topic', autocomplete: 'off' }), 'All if empty')),
    make('div', { class: 'row' },
      field('Every', make('input', { id: 'fault-every', type: 'number', min: 1, placeholder: '1' }), 'Each n-th request'),
      field('At most', make('input', { id: 'fault-times', type: 'number', min: 1, placeholder: 'no limit' }), 'Times'),
      field('Percentage', make('input', { id: 'fault-share', type: 'number', min: 0, max: 100, step: 'any', placeholder: '100' }), 'At random')),
    make('div', { class: 'row' },
      field('Retry after', make('input', { id: 'fault-retry', type: 'number', min: 0, placeholder: 'none' }), 'Seconds, in the answer'),
      field('Delay', make('input', { id: 'fault-delay', type: 'number', min: 0, placeholder: '0' }), 'Milliseconds')),
    make('label', { class: 'check' }, make('input', { type: 'checkbox', id: 'fault-accepted' }), 'Perform the request nevertheless'),
    make('button', { class: 'main' }, 'Add rule'));
  element.addEventListener('submit', event => {
    event.preventDefault();
    replace([...script.rules, entered()]);
  });
  return element;
}

/** The rule of the form, without empty parts. */
function entered() {
  const number = id => (find(id).value === '' ? undefined : Number(find(id).value));
  const what = find('fault-what').value;
  const answer = what in deliveries ? undefined : { error: what, retry_after_seconds: number('fault-retry') };
  const delay = number('fault-delay');
  const delivery = what in deliveries ? { ...deliveries[what][1], ...(what === 'delay' && delay ? { delay_milliseconds: delay } : {}) }
    : delay ? { delay_milliseconds: delay } : undefined;
  const share = number('fault-share');
  const rule = {
    id: `${what} ${script.rules.length + 1}`,
    match: { service: find('fault-service').value, topic: find('fault-topic').value.trim() || undefined },
    when: { every: number('fault-every'), times: number('fault-times'), share: share === undefined ? undefined : share / 100 },
    answer, delivery, accepted: find('fault-accepted').checked || undefined,
  };
  // JSON drops what is undefined.
  const clean = JSON.parse(JSON.stringify(rule));
  if (Object.keys(clean.when).length === 0) delete clean.when;
  return clean;
}

const replace = rules => attempt(async () => {
  await control.setFaults({ seed: script.seed, rules: rules.map(plain) });
  await look(true);
});

function editor() {
  const element = make('form', { class: 'card', 'aria-labelledby': 'script-heading' },
    make('h2', { id: 'script-heading' }, 'Script'),
    field('Fault script', make('textarea', { id: 'fault-script', rows: 18, spellcheck: 'false' }),
      'JSON, as in herald emulator --faults FILE'),
    make('button', { class: 'main' }, 'Replace the script'));
  element.addEventListener('submit', event => {
    event.preventDefault();
    attempt(async () => {
      await control.setFaults(JSON.parse(find('fault-script').value));
      await look(true);
    });
  });
  return element;
}
