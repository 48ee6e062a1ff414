import { checkModel } from '../../definition/model/check.js';
import { counted } from '../counted.js';
import { loadDefinitions } from '../definitions.js';
import { ok, problem, type Check } from './finding.js';

/** Tells whether the project's declarations load, and fit together. */
export const declarations: Check = {
  about: 'declarations',
  look: async () => {
    const entities = await loadDefinitions();
    const problems = checkModel(entities);
    const says = counted(entities.length, 'entity type');
    if (problems.length === 0) return [ok('declarations', says)];
    return [problem('declarations', `${says} with ${counted(problems.length, 'problem')}`, `See them: reeve check`)];
  },
};
