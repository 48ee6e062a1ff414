/*
 * The modules that workflow code of tests is made of. All of them are in one bundle, where each is evaluated only when it is asked for:
 * a type may have other code in another module.
 */
/* global module, require */
const FOLDERS = {
  entities: require.context('../entities', false, /\.ts$/),
  conformance: require.context('../conformance', false, /^\.\/(workflows|meter)\.ts$/),
  readme: require.context('../readme', false, /^\.\/(workflows|website)\.ts$/),
  '../examples/handlers': require.context('../../examples/handlers', false, /^\.\/(workflows|website)\.ts$/),
  '../examples/plugin': require.context('../../examples/plugin', false, /^\.\/(workflows|seat)\.ts$/),
  '../examples/validation': require.context('../../examples/validation', false, /^\.\/(workflows|validation)\.ts$/),
  '../examples/xstate': require.context('../../examples/xstate', false, /^\.\/workflows\.ts$/),
  '../examples/xstate/order': require.context('../../examples/xstate/order', false, /^\.\/definition\.ts$/),
  '../workflows': require.context('../../workflows', false, /^\.\/(index|definitions|components)\.ts$/),
  '../activities/tables/operations': require.context('../../activities/tables/operations', false, /^\.\/index\.ts$/),
};

/** @param path relative to `test/` */
module.exports = (path) => {
  const slash = path.lastIndexOf('/');
  return FOLDERS[path.slice(0, slash)](`.${path.slice(slash)}`);
};
