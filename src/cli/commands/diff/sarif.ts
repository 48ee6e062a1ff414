import { CLASS_WORDS, type Change, type ChangeClass } from '../../../definition/evolution/change.js';
import { isOpen } from '../../../definition/evolution/compare.js';
import { ownPackage } from '../../../packages/own-package.js';

/** The changes as SARIF 2.1.0, for the checks of a pull request. What is safe is left out. */
export function sarifOf(changes: readonly Change[], file: string) {
  const rules: readonly ChangeClass[] = (Object.keys(CLASS_WORDS) as ChangeClass[]).filter((kind) => kind !== 'safe');
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'reeve diff',
            version: ownPackage().version,
            rules: rules.map((id) => ({ id, shortDescription: { text: `A change that ${CLASS_WORDS[id]}` } })),
          },
        },
        results: changes
          .filter(({ class: kind }) => kind !== 'safe')
          .map((change) => ({
            ruleId: change.class,
            ruleIndex: rules.indexOf(change.class),
            level: isOpen(change) ? 'error' : 'note',
            message: { text: change.remedy ? `${change.sentence} ${change.remedy}` : change.sentence },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: file } },
                logicalLocations: [{ fullyQualifiedName: change.place }],
              },
            ],
          })),
      },
    ],
  };
}
