import { checkModel } from '../../definition/model/check.js';
import { loadDefinitions } from '../definitions.js';
import { ok, problem, type Check } from './finding.js';

/** Whether the project's declarations load, and fit together. */
export const declarations: Check = {
  about: 'declarations',
  look: async () => {
    const entities = await loadDefinitions();
    const problems = checkModel(entities);
    const says = `${entities.length} entity types`;
    if (problems.length === 0) return [ok('declarations', says)];
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    return [problem('declarations', `${says} with ${count}`, `See them: reeve check`)];
  },
};
