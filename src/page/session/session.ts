import { computed, effect, signal } from '@preact/signals';
import { read } from '../api/client.js';
import { Problem } from '../api/problem.js';
import type { Me, ServedType } from '../api/shapes.js';
import { asksWho, token } from './token.js';

/** Tells who asks, and what they may do; none before the service has said it. */
export const me = signal<Me | undefined>(undefined);
/** The types that may be read, as they are declared. */
export const types = signal<readonly ServedType[] | undefined>(undefined);
/** Why the service has not said it. */
export const unreached = signal<string | undefined>(undefined);

const AGAIN_MS = 2_000;

/** Finds out who asks, now and whenever somebody else signs in. */
export function begin(): void {
  effect(() => {
    void learn(token.value);
  });
}

async function learn(shown: string | undefined): Promise<void> {
  try {
    const who = await read<Me>('/api/me');
    const declared = who.types.some(({ read: may }) => may)
      ? (await read<{ items: ServedType[] }>('/api/types')).items
      : [];
    if (shown !== token.value) return;
    types.value = declared;
    me.value = who;
    unreached.value = undefined;
    asksWho.value = false;
  } catch (thrown) {
    if (shown !== token.value || (thrown instanceof Problem && thrown.status === 401)) return;
    unreached.value = thrown instanceof Error ? thrown.message : String(thrown);
    setTimeout(() => void learn(shown), AGAIN_MS);
  }
}

const typesByName = computed(() => new Map((types.value ?? []).map((type) => [type.name, type])));

/** The declaration of a type; none where it may not be read, or does not exist. */
export function typeOf(name: string): ServedType | undefined {
  return typesByName.value.get(name);
}

/** Tells whether there are entities that whoever asks may read. */
export const readsEntities = computed(() => me.value?.types.some(({ read: may }) => may) === true);

/** Tells whether there are deployments, or distributed operations, that whoever asks may read. */
export const readsDeployments = computed(() => me.value?.components.some(({ read: may }) => may) === true);
export const readsDistributed = computed(() => me.value?.distributed.some(({ read: may }) => may) === true);

/** The components that whoever asks may deploy, and the types of distributed operations that they may start. */
export const deployable = computed(() => me.value?.components.filter(({ deploy }) => deploy) ?? []);
export const startable = computed(() => me.value?.distributed.filter(({ start }) => start) ?? []);

/** Gives what the roles of whoever asks allow with deployments of a component. */
export function rightsWith(component: string): Me['components'][number] | undefined {
  return me.value?.components.find((each) => each.component === component);
}

/** Gives what the roles of whoever asks allow with distributed operations of a type. */
export function rightsOver(type: string): Me['distributed'][number] | undefined {
  return me.value?.distributed.find((each) => each.type === type);
}

/** Gives what the roles of whoever asks allow with a type. */
export function rightsOn(type: string): Me['types'][number] | undefined {
  return me.value?.types.find((each) => each.type === type);
}
