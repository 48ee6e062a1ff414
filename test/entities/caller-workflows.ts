import { CancellationScope, createNexusServiceClient } from '@temporalio/workflow';
import { entityService } from '../../src/exports/nexus.js';
import { Box } from './box.js';

/** The workflows of another team: they have no entities. */
const boxesAt = (endpoint: string) => createNexusServiceClient({ endpoint, service: entityService(Box) });

/** Cancels an event once it was begun. Gives its outcome, and who has refused to cancel it. */
export async function withdraw(endpoint: string, key: string) {
  const begun = CancellationScope.cancellable(async () => {
    const placing = await boxesAt(endpoint).startOperation('place', { key, params: { label: 'first' } });
    CancellationScope.current().cancel();
    return placing.result();
  });
  const { outcome, refusals } = await begun;
  return { outcome, refusedBy: refusals?.map(({ entity }) => entity) };
}
