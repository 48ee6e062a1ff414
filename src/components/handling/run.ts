import { z } from 'zod';
import { target, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  action: template,
  /** The component whose child the action becomes. Without one, the action goes on by itself. */
  parent: target.optional(),
  /** Its name there, or of its own deployment. */
  asName: z.string().optional(),
});

/** Starts its action as a deployment with a life of its own, or as a child of another component, then ends. W4 */
export const RUN = defineKind({
  name: 'Run',
  attributes,
  startsElsewhere: true,
  start(self) {
    const action = self.template('action');
    if (action === undefined) throw new TypeError("Attribute 'action' holds no description: write a component.");
    const name = self.attribute('asName') ?? self.name;
    if (!self.has('parent')) return self.deployAlone(name, action, self.attribute('host'));
    const parent = self.target('parent');
    if ('path' in parent) throw new TypeError(`${parent.path} is in another deployment: a parent is one of this tree.`);
    self.adopt(parent.id, name, action);
  },
  launched: (self, failure) => ended(self, failure),
  answered: (self, result) => ended(self, 'error' in result ? result.error.message : undefined),
  doing: () => 'waits until its action is started',
});

function ended(self: { end(type: string, description: string): void }, failure: string | undefined): void {
  if (failure === undefined) self.end('normal', 'its action is started');
  else self.end('abnormal', `its action did not start: ${failure}`);
}

export const run = maker('Run', attributes);
