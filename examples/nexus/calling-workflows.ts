import { createNexusServiceClient } from '@temporalio/workflow';
import { entityService } from 'reeve/nexus';
import { Website } from './website.js';

/** A workflow of another team, in another namespace. Its worker needs no plugin. */
export async function launch(endpoint: string, name: string, title: string): Promise<string> {
  const websites = createNexusServiceClient({ endpoint, service: entityService(Website) });
  await websites.executeOperation('publish', { key: name });
  const { outcome } = await websites.executeOperation('rename', { key: name, params: { title } });
  return outcome; // 'success', when everything that the event has set off has settled
}
