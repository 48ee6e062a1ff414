import { z } from 'zod';
import { call, during, retry, sequence, type Description } from '../../src/components/index.js';
import { defineEntity, endRecord, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { Daemon, files } from './shop.js';

/** Components that an action runs, and that end by themselves: a file is copied, a process runs over it, and it is removed. */
const errandOf = (file: string): Description =>
  sequence({
    copy: retry({ retry: 2, action: call(files.copy, { from: `http://${file}`, to: file }) }),
    run: during({ time: 60_000, action: Daemon({ commandLine: `read ${file}` }) }),
    remove: call(files.remove, { file }),
  });

/** Somebody whose actions run components. W1 */
export const Errand = defineEntity('Errand', {
  key: z.string(),
  properties: z.object({
    file: z.string().default(''),
    end: endRecord.optional(),
    endless: z.boolean().default(false),
  }),
  states: {
    New: initial(),
    Running: unstable({ retry: { delay: '1s', attempts: 2, exhausted: 'Failed' } }),
    Done: terminal(),
    Failed: terminal({ health: 'error' }),
    Stopped: terminal(),
  },
  events: {
    begin: { params: z.object({ file: z.string(), endless: z.boolean().optional() }), in: 'New' },
    stop: { in: 'Running', busy: 'abort' },
  },
  actions: {
    begin: { on: 'begin', in: 'New', to: 'Running' },
    run: { in: 'Running', to: ['Done', 'Failed'] },
    stop: { on: 'stop', in: 'Running', to: 'Stopped' },
  },
});

export const errand = implementActions(Errand, {
  begin: async (app, { params: { file, endless = false } }) => {
    Object.assign(app.properties, { file, endless });
    return app.goTo('Running');
  },
  run: async (app) => {
    const { file, endless } = app.properties;
    const end = await app.run(endless ? Daemon({ commandLine: file }) : errandOf(file));
    app.properties.end = end;
    return app.goTo(end.type === 'normal' ? 'Done' : 'Failed');
  },
  stop: async (app) => app.goTo('Stopped'),
});
