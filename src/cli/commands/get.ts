import { entityId } from '../../protocol/names.js';
import { formatEntity } from '../output.js';
import { parseTarget } from '../arguments.js';
import { EXIT } from '../exit.js';
import { openSession } from '../session.js';

/** `reeve get LogicalServer/orders` */
export async function get(target: string, options: { readonly json?: boolean }): Promise<number> {
  const ref = parseTarget(target);
  const session = await openSession();
  try {
    const entity = session.reeve.entity(ref.type);
    const reading = await session.reeve.read(ref);
    console.log(
      options.json
        ? JSON.stringify({ id: entityId(ref), gone: reading.gone, ...reading.snapshot }, undefined, 2)
        : formatEntity(entity, reading, session.link),
    );
    return EXIT.done;
  } finally {
    await session.close();
  }
}
