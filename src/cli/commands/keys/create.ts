import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';
import { rolesGivenIn } from '../../../service/access.js';
import { knownRoles } from '../../../definition/roles.js';
import { createApiKey } from '../../../service/authentication/api-key.js';
import { Project } from '../../../project/project.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { openKeyFile } from '../../key-file.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';

interface CreateKeyOptions {
  readonly tenant: string;
  readonly role: readonly string[];
  readonly expires?: Date;
  readonly json?: boolean;
}

/** `reeve keys create ci --tenant acme --role owner` S6.5 */
export function defineKeysCreate(keys: Command): void {
  keys
    .command('create')
    .description('create a key and print it once; only its hash is stored')
    .argument('<subject>', 'its user, as shown in the audit trail')
    .requiredOption('--tenant <tenant>', "its tenant; '*' for all tenants")
    .requiredOption('--role <role...>', 'its roles, as the declarations name them')
    .option('--expires <time>', 'when it expires, like 2027-01-01', parseTime)
    .option('--json', 'the key and its stored data, as JSON')
    .addHelpText(
      'after',
      examples(["reeve keys create ci --tenant '*' --role operator", 'for a program with all rights']),
    )
    .action(run(createKey));
}

async function createKey(subject: string, options: CreateKeyOptions): Promise<number> {
  const { tenant, role: roles, expires } = options;
  const { entities, components, distributed } = await (await Project.find()).declared();
  const known = knownRoles(entities, rolesGivenIn([...components, ...distributed]));
  const unknown = roles.filter((role) => !known.includes(role));
  if (unknown.length > 0) {
    throw new UsageError(`No declaration names the role ${unknown.join(', ')}. The roles are: ${known.join(', ')}.`);
  }
  const { file, keys } = await openKeyFile();
  const { key, record } = makeKey();
  await file.write([...keys, record]);
  if (options.json) printJson({ key, ...record });
  else console.log(key);
  return EXIT.done;

  function makeKey() {
    try {
      return createApiKey({ subject, tenant, roles }, new Date(), expires);
    } catch (thrown) {
      if (thrown instanceof z.ZodError) throw new UsageError(z.prettifyError(thrown));
      throw thrown;
    }
  }
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Write a date, like 2027-01-01.');
  return time;
}
