// The form that composes a message and sends it like any FCM client.

import { address, link, names } from './address.js';
import * as control from './control.js';
import { code, field, find, foreign, make, option } from './dom.js';
import { advised } from './words.js';

const value = id => find(id)?.value.trim() ?? '';
let attempt;

/** Shows the form, filled from the address: `to` a phone, `topic`, or `from` a request. */
export async function show(perform) {
  attempt = perform;
  draw();
  const { query } = address();
  if (query.get('from')) await attempt(async () => fill(await control.request(query.get('from'))));
  else if (query.get('to')) target('phone', query.get('to'));
  else if (query.get('topic')) target('topic', query.get('topic'));
  preview();
}

function draw() {
  const form = make('form', { class: 'card', 'aria-labelledby': 'send-heading', id: 'send-form' },
    make('fieldset', {}, make('legend', {}, 'Target'), make('div', { class: 'row' },
      field('To', make('select', { id: 'send-kind' },
        [['phone', 'a phone'], ['topic', 'a topic'], ['condition', 'a condition'], ['token', 'a registration']]
          .map(([kind, text]) => option(kind, text)))),
      field('Name', make('input', { id: 'send-target', required: true, autocomplete: 'off', list: 'send-names', spellcheck: 'false' })),
      make('datalist', { id: 'send-names' }))),
    make('fieldset', {}, make('legend', {}, 'Notification'),
      field('Title', make('input', { id: 'send-title', autocomplete: 'off' })),
      field('Text', make('textarea', { id: 'send-body', rows: 3 })),
      field('Address of an image', make('input', { id: 'send-image', type: 'url', autocomplete: 'off' }))),
    make('fieldset', {}, make('legend', {}, 'Data and settings'),
      field('Data', make('textarea', { id: 'send-data', rows: 3, spellcheck: 'false' }), 'One entry a line: key=value'),
      field('Other fields', make('textarea', { id: 'send-other', rows: 4, spellcheck: 'false' }),
        'JSON of android, apns, webpush or fcm_options, for example {"android": {"ttl": "60s"}}')),
    make('fieldset', {}, make('legend', {}, 'Sender'), make('div', { class: 'row' },
      field('Project ID', make('input', { id: 'send-project', required: true, autocomplete: 'off', spellcheck: 'false',
        value: address().query.get('project') || names.default || 'demo' })),
      field('Access token', make('input', { id: 'send-token', required: true, autocomplete: 'off', spellcheck: 'false', value: 'owner' }))),
    make('label', { class: 'check' }, make('input', { type: 'checkbox', id: 'send-dry' }), 'Validate only')),
    make('button', { class: 'main' }, 'Send'));
  form.addEventListener('submit', send);
  form.addEventListener('input', event => { preview(); if (event.target.id === 'send-target') suggest(); });
  find('send').replaceChildren(
    make('div', { class: 'head' }, make('h1', { id: 'send-heading', tabindex: -1 }, 'Send a message')),
    make('div', { class: 'sides even' }, form,
      make('div', { class: 'side' },
        make('section', { class: 'card', 'aria-labelledby': 'result-heading' },
          make('h2', { id: 'result-heading' }, 'Answer'),
          make('div', { id: 'send-result', role: 'status' }, make('p', { class: 'quiet' }, 'Nothing sent yet.'))),
        make('section', { class: 'card', 'aria-labelledby': 'preview-heading' },
          make('h2', { id: 'preview-heading' }, 'Request'), make('div', { id: 'send-preview' })))));
}

function target(kind, name) {
  find('send-kind').value = kind;
  find('send-target').value = name;
}

/** Fills the form from a recorded request. */
function fill(request) {
  const { token, fid, topic, condition, notification = {}, data = {}, ...other } = request.body?.message ?? {};
  target(topic ? 'topic' : condition ? 'condition' : 'token', topic ?? condition ?? token ?? fid ?? '');
  find('send-title').value = notification.title ?? '';
  find('send-body').value = notification.body ?? '';
  find('send-image').value = notification.image ?? '';
  find('send-data').value = Object.entries(data).map(([key, text]) => `${key}=${text}`).join('\n');
  find('send-other').value = Object.keys(other).length > 0 ? JSON.stringify(other, null, 2) : '';
  find('send-dry').checked = request.body?.validate_only === true;
  find('send-project').value = request.path.match(/^\/v1\/projects\/([^/]+)\//)?.[1] ?? 'demo';
}

/** Suggests phones while the user types the name of one. */
let timer;
function suggest() {
  clearTimeout(timer);
  if (value('send-kind') !== 'phone' || value('send-target') === '') return;
  timer = setTimeout(() => attempt(async () => {
    const answer = await control.phones({ search: value('send-target'), limit: 20 });
    find('send-names')?.replaceChildren(...answer.devices.map(phone => option(phone.name, phone.name)));
  }), 120);
}

/** The message of the form. The registration of a phone is looked up when it is sent. */
function composed(registration) {
  const kind = value('send-kind');
  const notification = Object.fromEntries(
    ['title', 'body', 'image'].map(name => [name, value(`send-${name}`)]).filter(([, text]) => text));
  const data = Object.fromEntries(value('send-data').split('\n').filter(line => line.includes('='))
    .map(line => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]));
  const other = value('send-other') ? JSON.parse(value('send-other')) : {};
  const to = kind === 'phone' ? { token: registration ?? `the registration of ${value('send-target')}` } : { [kind]: value('send-target') };
  return {
    ...(find('send-dry').checked ? { validate_only: true } : {}),
    message: {
      ...to, ...(Object.keys(notification).length > 0 ? { notification } : {}),
      ...(Object.keys(data).length > 0 ? { data } : {}), ...other,
    },
  };
}

function preview() {
  const other = find('send-other');
  try {
    other.setCustomValidity('');
    find('send-preview').replaceChildren(code(composed(), 'Body of the request'));
  } catch (error) {
    other.setCustomValidity(`This is not JSON: ${error.message}`);
    find('send-preview').replaceChildren(make('p', { class: 'bad' }, `The other fields are not JSON: ${error.message}`));
  }
}

async function registration() {
  if (value('send-kind') !== 'phone') return undefined;
  const answer = await control.phones({ device: value('send-target'), limit: 1 });
  const phone = answer.devices[0];
  if (!phone) throw new Error(`There is no phone with the name ${value('send-target')}.`);
  if (!phone.registration) throw new Error(`The app on ${phone.name} has no registration. Issue one in the phone's view.`);
  return phone.registration;
}

function send(event) {
  event.preventDefault();
  attempt(async () => {
    const body = composed(await registration());
    const answer = await control.send(value('send-project'), body, value('send-token'));
    await showAnswer(answer);
  });
}

async function showAnswer(answer) {
  const found = await control.requests({ path: '/v1/projects/', limit: 10 }).catch(() => ({ requests: [] }));
  const id = answer.json?.name?.split('/').pop();
  const request = found.requests.find(one => (answer.isOK ? one.message_id === id : one.status === answer.status)) ?? found.requests[0];
  const error = answer.json?.error;
  const kind = error?.details?.map(detail => detail.errorCode).find(Boolean) ?? error?.status;
  find('send-result').replaceChildren(
    make('p', {}, make('span', { class: `badge ${answer.isOK ? 'good' : 'bad'}` }, `${answer.status}${kind ? ' ' + kind : ''}`),
      ` after ${Math.round(answer.milliseconds)} ms`),
    error ? make('p', {}, foreign(control.told(answer))) : make('p', {}, 'Message ID ', make('code', {}, id ?? 'none')),
    ...(advised(kind) ? [make('p', { class: 'quiet' }, advised(kind))] : []),
    ...(request ? [make('p', {}, make('a', { href: link('requests', request.seq) }, `Show request ${request.seq} and its phones`))] : []));
}
