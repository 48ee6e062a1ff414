import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/service/server.js';

const application = { open: true, fetch: () => new Response(), stop: () => undefined };

it('a service whose port is taken says which one it is, and what to do (S6.1)', async () => {
  const first = await startService(application);
  onTestFinished(() => first.stop());
  const port = Number(new URL(first.url).port);
  await expect(startService(application, { port })).rejects.toThrow(
    `The management service cannot listen on port ${port} of 127.0.0.1. Another program listens there. End it, or set ` +
      `another port: REEVE_API_PORT.`,
  );
});
