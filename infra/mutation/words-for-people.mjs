/*
 * Words for people are not judged: a message that reads otherwise is not wrong, and no test should pin it. What has a
 * space in it is for people; names and codes have none.
 */
const ignorer = {
  shouldIgnore: ({ node }) => (isText(node) || isChoice(node) ? 'words for people' : undefined),
};

const isText = (node) =>
  (node.type === 'StringLiteral' && node.value.includes(' ')) ||
  (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' ')));

/** Which of two texts is said. */
const isChoice = (node) =>
  node.type === 'ConditionalExpression' && [node.consequent, node.alternate].some((each) => isText(each));

export const strykerPlugins = [{ kind: 'Ignore', name: 'words-for-people', value: ignorer }];
