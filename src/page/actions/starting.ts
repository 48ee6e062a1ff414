import type { Me } from '../api/shapes.js';
import { shellWord } from '../../definition/shell-word.js';
import type { Action } from './action-dialog.js';
import { withParams } from './entity-actions.js';
import type { Schema } from './schema.js';

/* The forms that start a deployment or an operation over partitions: each is a form with one alternative for each that may be started. */

const NAME: Schema = {
  type: 'string',
  description: 'It identifies the deployment: letters, digits and . _ ~ - , the first one a letter or digit.',
};
const TENANT: Schema = { type: 'string', description: 'The tenant to which it belongs.' };

/** Deploys one of the components. @param forAll whether the caller acts for all tenants, and so can name one */
export function deployAction(components: Me['components'], forAll: boolean): Action {
  const [only, ...others] = components;
  return {
    title: only && others.length === 0 ? `New ${only.component}` : 'New deployment',
    description: 'It starts at once, as a workflow of its own.',
    schema: {
      anyOf: components.map(({ component, attributes }) =>
        alternativeOf({ component }, { name: NAME }, { attributes }, forAll ? { tenant: TENANT } : {}),
      ),
    },
    button: 'Deploy',
    call: (given) => ({
      ...{ method: 'POST', path: '/api/deployments', json: given },
      reeve:
        `reeve deploy ${word(given['component'])} ${word(given['name'])}${withParams(given['attributes'])}` +
        optionOf('--tenant', given['tenant']),
    }),
  };
}

const TARGET: Schema = { type: 'string', description: 'It runs one job on each partition of this target.' };
const OPTIONS: Readonly<Record<string, Schema>> = {
  partitions: { type: 'string', description: 'Only these partitions, like 0-99,120.' },
  at_once: { type: 'integer', title: 'jobs at once', description: 'The maximum number of parallel jobs.' },
};

/** Starts an operation over partitions. */
export function startAction(types: Me['distributed']): Action {
  const [only, ...others] = types;
  return {
    title: only && others.length === 0 ? `New ${only.type}` : 'New distributed operation',
    schema: {
      anyOf: types.map(({ type, argument }) => alternativeOf({ type }, { target: TARGET }, { argument }, OPTIONS)),
    },
    button: 'Start',
    call: (given) => ({
      ...{ method: 'POST', path: '/api/distributed', json: given },
      reeve:
        `reeve distributed start ${word(given['type'])} ${word(given['target'])}${withParams(given['argument'])}` +
        optionOf('--partitions', given['partitions']) +
        optionOf('--at-once', given['at_once']),
    }),
  };
}

type Fields = Readonly<Record<string, Schema>>;

/** The fields of one of several: its name, which nobody fills in, what has to be given, and what may be left out. */
function alternativeOf(
  which: Readonly<Record<string, string>>,
  needed: Fields,
  takes: Readonly<Record<string, unknown>>,
  optional: Fields,
): Schema {
  const [[kind, title] = ['', '']] = Object.entries(which);
  // The declarations hold JSON Schema. One that takes nothing needs no field.
  const taken = Object.entries(takes as Fields).filter(([, schema]) => !isEmpty(schema));
  const required = taken.filter(([, schema]) => schema.type !== 'object' || (schema.required ?? []).length > 0);
  return {
    type: 'object',
    title,
    properties: { [kind]: { const: title }, ...needed, ...Object.fromEntries(taken), ...optional },
    required: [...Object.keys(needed), ...required.map(([name]) => name)],
  };
}

function isEmpty(schema: Schema | undefined): boolean {
  return schema?.type === 'object' && schema.properties !== undefined && Object.keys(schema.properties).length === 0;
}

function word(given: unknown): string {
  return given === undefined ? '…' : shellWord(String(given));
}

function optionOf(name: string, given: unknown): string {
  return given === undefined ? '' : ` ${name} ${word(given)}`;
}
