import { CallFailed, implementActions } from 'reeve/definition';
import { pages } from './contract.js';
import { Site } from './definition.js';

/** Implements what a site does. It is durable code: it goes on where it was when its worker dies. */
export const site = implementActions(Site, {
  begin: async (self) => self.goTo('Publishing'),
  rewrite: async (self, { params }) => {
    self.properties.text = params.text;
    return self.goTo('Publishing');
  },
  publish: async (self) => {
    try {
      const { file } = await self.call(pages.publish, { name: self.key, text: self.properties.text });
      self.properties.file = file;
      return self.goTo('Published');
    } catch (thrown) {
      // The same text would be refused again, so no attempt is left. Anything else may go well the next time.
      if (thrown instanceof CallFailed && thrown.code === 'script_refused') self.giveUp(thrown);
      throw thrown;
    }
  },
  startRemoval: async (self) => self.goTo('Removing'),
  remove: async (self) => {
    await self.call(pages.remove, { name: self.key });
    return self.goTo('Gone');
  },
});
