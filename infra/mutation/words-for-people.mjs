/*
 * Words for people are not judged: a message with other words is not wrong, and no test should pin it. A text with a space is
 * for people, since names and codes have none.
 */
const ignorer = {
  shouldIgnore: ({ node }) => (isText(node) || isChoice(node) ? 'words for people' : undefined),
};

const isText = (node) =>
  (node.type === 'StringLiteral' && node.value.includes(' ')) ||
  (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' ')));

/** Tells whether it is the choice between two texts. */
const isChoice = (node) =>
  node.type === 'ConditionalExpression' && [node.consequent, node.alternate].some((each) => isText(each));

export const strykerPlugins = [{ kind: 'Ignore', name: 'words-for-people', value: ignorer }];
