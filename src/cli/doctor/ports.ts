import { isFree } from '../../stack/ports.js';
import { wantedPostgresPort } from '../../stack/stack.js';
import { wantedTemporalPorts } from '../../stack/temporal-ports.js';
import { ok, skipped, type Check } from './finding.js';

/** Which ports a stack would use. A port that is in use is not a problem: another one is chosen. */
export const ports: Check = {
  about: 'ports',
  look: async ({ home, env, stack, configured }) => {
    if (stack) return [skipped('ports', 'in use by the stack')];
    const { port, uiPort } = await wantedTemporalPorts(home);
    const wanted = [
      ...(configured ? [] : [port, uiPort]),
      ...(env['DATABASE_URL'] ? [] : [await wantedPostgresPort(home)]),
    ];
    const found = await Promise.all(
      wanted.map(async (number) => ((await isFree(number)) ? `${number} free` : `${number} taken: another is chosen`)),
    );
    return [found.length === 0 ? skipped('ports', 'none needed') : ok('ports', found.join(', '))];
  },
};
