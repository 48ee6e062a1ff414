import { implementActions } from 'reeve/definition';
import { pages } from './contract.js';
import { Site } from './definition.js';

/** What a site does. It is durable code: it goes on where it was when its worker dies. */
export const site = implementActions(Site, {
  begin: async (self) => self.goTo('Publishing'),
  rewrite: async (self, { params }) => {
    self.properties.text = params.text;
    return self.goTo('Publishing');
  },
  publish: async (self) => {
    const { file } = await self.call(pages.publish, { name: self.key, text: self.properties.text });
    self.properties.file = file;
    return self.goTo('Published');
  },
  startRemoval: async (self) => self.goTo('Removing'),
  remove: async (self) => {
    await self.call(pages.remove, { name: self.key });
    return self.goTo('Gone');
  },
});
