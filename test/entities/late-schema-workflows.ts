import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { note, Notebook } from './late-schema.js';

export default entityWorkflows(
  implementActions(Notebook, {
    burn: async (app) => app.goTo('Deleted'),
    open: async (app) => app.goTo('Open'),
    write: async (app, { params }) => {
      app.properties.notes = [...app.properties.notes, note.extend({}).parse({ text: ` ${params.text} ` }).text];
    },
  }),
);
