/*
 * Words for people are not judged: a message that reads otherwise is not wrong, and no test should pin it. What has a
 * space in it is for people; names and codes have none.
 */
const ignorer = {
  shouldIgnore({ node }) {
    if (node.type === 'StringLiteral' && node.value.includes(' ')) return REASON;
    if (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' '))) return REASON;
    return undefined;
  },
};

const REASON = 'words for people';

export const strykerPlugins = [{ kind: 'Ignore', name: 'words-for-people', value: ignorer }];
