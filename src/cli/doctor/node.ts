import { ownPackage } from '../../packages/own-package.js';
import { ok, problem, type Check } from './finding.js';

/** Tells whether this Node is new enough. */
export const node: Check = {
  about: 'Node',
  look: () => {
    const { node: found } = process.versions;
    const oldest = ownPackage().engines.node.replace('>=', '');
    const finding = isAtLeast(found, oldest)
      ? ok('Node', found)
      : problem('Node', `${found} is too old`, `Install Node ${oldest} or newer.`);
    return Promise.resolve([finding]);
  },
};

function isAtLeast(found: string, oldest: string): boolean {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
