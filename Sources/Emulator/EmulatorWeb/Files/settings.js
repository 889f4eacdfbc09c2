// The clock, the behaviour of FCM and the devices, and the reset.

import { project } from './address.js';
import * as control from './control.js';
import { confirmed } from './dialogs.js';
import { field, find, make, option } from './dom.js';

let attempt;

/** Shows the settings. */
export async function show(perform) {
  attempt = perform;
  const options = await attempt(() => control.options());
  find('settings').replaceChildren(
    make('div', { class: 'head' }, make('h1', { id: 'settings-heading', tabindex: -1 }, 'Settings')),
    make('div', { class: 'sides even' }, make('div', { class: 'side' }, clockForm(), resetCard()), options ? optionsForm(options) : null));
}

/** A form whose submission performs an action. */
function form(id, heading, children, label, action) {
  const element = make('form', { class: 'card', 'aria-labelledby': id }, make('h2', { id }, heading), children,
    make('button', { class: 'main' }, label));
  element.addEventListener('submit', event => {
    event.preventDefault();
    attempt(action);
  });
  return element;
}

const clockForm = () => form('clock-heading', 'Clock', [
  make('div', { class: 'row' },
    field('Mode', make('select', { id: 'clock-mode' },
      [['REAL', 'real time'], ['FROZEN', 'virtual, frozen'], ['RUNNING', 'virtual, running']].map(([value, text]) => option(value, text)))),
    field('Rate', make('input', { id: 'clock-rate', type: 'number', min: 0, step: 'any', placeholder: '1' }), 'Seconds in one second')),
  field('Time (UTC)', make('input', { id: 'clock-at', placeholder: '2037-03-20T07:30:00Z', autocomplete: 'off', pattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z' }),
    'A later time than now. Everything that is due until then happens.'),
], 'Set the clock', async () => {
  const mode = find('clock-mode').value;
  const rate = find('clock-rate').value;
  const at = find('clock-at').value.trim();
  await control.setClock({ mode, ...(rate && mode === 'RUNNING' ? { rate: Number(rate) } : {}), ...(at && mode !== 'REAL' ? { at } : {}) });
  find('clock-at').value = '';
});

const optionsForm = options => form('options-heading', 'Behaviour of FCM and the phones', [
  make('div', { class: 'row' },
    field('Delay of subscriptions', number('topic_propagation', seconds(options.topic_propagation)), 'Seconds until a topic reaches a new member'),
    field('Delay in the background', number('background_delay', seconds(options.background_delay)), 'Seconds, on Android, for normal priority'),
    field('Delay of background pushes', number('apple_background_delay', seconds(options.apple_background_delay ?? '0s')), 'Seconds, on iOS')),
  make('div', { class: 'row' },
    field('Fan-out rate', number('fan_out_rate', options.fan_out_rate, 1), 'Phones a second'),
    field('Fan-outs at once', number('fan_outs', options.fan_outs, 1))),
  make('div', { class: 'row' },
    field('Excess fan-outs', make('select', { id: 'option-excess_fan_outs' },
      [['REFUSE', 'are refused with 429'], ['DEFER', 'wait']].map(([value, text]) =>
        option(value, text, value.toLowerCase() === options.excess_fan_outs)))),
    field('Seed', make('input', { id: 'option-seed', value: options.seed, pattern: '[0-9]+', autocomplete: 'off' }), 'For random choices')),
  make('label', { class: 'check' }, make('input', { type: 'checkbox', id: 'option-lower_priority', checked: options.lower_priority }),
    'Lower the priority of apps that show no notification'),
  make('label', { class: 'check' }, make('input', { type: 'checkbox', id: 'option-device_limits', checked: options.device_limits }),
    'Limit the messages to one phone'),
], 'Save', async () => {
  const value = name => find(`option-${name}`).value;
  const checked = name => find(`option-${name}`).checked;
  await control.setOptions({
    topic_propagation: `${value('topic_propagation')}s`, background_delay: `${value('background_delay')}s`,
    apple_background_delay: `${value('apple_background_delay')}s`,
    fan_out_rate: Number(value('fan_out_rate')), fan_outs: Number(value('fan_outs')),
    excess_fan_outs: value('excess_fan_outs'), seed: value('seed'),
    lower_priority: checked('lower_priority'), device_limits: checked('device_limits'),
  });
});

const number = (name, value, min = 0) => make('input', { id: `option-${name}`, type: 'number', min, value, required: true });
const seconds = text => Number.parseInt(text, 10);

function resetCard() {
  const reset = make('button', { type: 'button', class: 'danger' }, 'Reset the phones');
  reset.addEventListener('click', async () => {
    const text = 'Every phone returns to its initial state. Its messages and later subscriptions are deleted. The request log is kept.';
    if (await confirmed('Reset the phones?', text, 'Reset')) await attempt(() => control.reset());
  });
  const id = project();
  const drop = make('button', { type: 'button', class: 'danger' }, id ? 'Delete the project' : 'Empty the project');
  drop.addEventListener('click', async () => {
    const text = 'Its phones, messages, faults, quota and clock are deleted.';
    if (!await confirmed(id ? `Delete ${id}?` : 'Empty the default project?', text, 'Delete')) return;
    if (await attempt(() => control.dropProject(id))) location.hash = '#/phones';
  });
  return make('section', { class: 'card', 'aria-labelledby': 'reset-heading' }, make('h2', { id: 'reset-heading' }, 'Reset'),
    make('p', { class: 'quiet' }, 'The request log is kept.'), make('p', { class: 'buttons' }, reset, drop));
}
