/** The lists of states of the reference control plane: one that is forgotten does not compile. S1.5 */
import { statesThat } from '../../workflows/states-that.js';
import { deletable as deletableDatabase, type DatabaseState } from '../../workflows/logical-database/states.js';
import { up, type ServerState } from '../../workflows/logical-server/states.js';

type State = 'Ready' | 'Busy' | 'Gone';

const at: readonly 'Ready'[] = statesThat({ Ready: true, Busy: false, Gone: false } as const satisfies Record<
  State,
  boolean
>);
// @ts-expect-error Busy is among them
const wrong: readonly 'Ready'[] = statesThat({ Ready: true, Busy: true, Gone: false } as const);
// @ts-expect-error Gone is forgotten
statesThat({ Ready: true, Busy: false } as const satisfies Record<State, boolean>);

const servers: readonly ServerState[] = up;
const databases: readonly DatabaseState[] = deletableDatabase;
// @ts-expect-error it is not up there
const notUp: (typeof up)[number] = 'Creating';
// @ts-expect-error it is not deleted while it moves
const notDeletable: (typeof deletableDatabase)[number] = 'Moving';

export { at, wrong, servers, databases, notUp, notDeletable };
