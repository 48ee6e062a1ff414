import { join } from 'node:path';
import { resourcesFolder } from './host-file.js';
import { InstanceFolders } from './instance-folders.js';

/** Stops the instances that a resource host has left behind, because it was killed. Their data stays. */
export async function endInstances(home: string): Promise<void> {
  await (await InstanceFolders.open(join(resourcesFolder(home), 'instances'))).stopAll();
}
