import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { reservePort } from '../../src/stack/port-reservation.js';
import { choosePort } from '../../src/stack/ports.js';
import { temporaryFolder } from './folder.js';

async function occupy(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
}

it('the wanted port is chosen when it is free, and another one when it is taken', async () => {
  const port = await choosePort();
  expect(await choosePort(port)).toBe(port);
  await occupy(port);
  expect(await choosePort(port)).not.toBe(port);
});

it('two that want the same port at the same time get different ones', async () => {
  const folder = await temporaryFolder();
  const wanted = await choosePort();
  const reservations = await Promise.all(Array.from({ length: 8 }, () => reservePort(folder, wanted)));
  expect(new Set(reservations.map(({ port }) => port)).size).toBe(8);
  for (const { release } of reservations) await release();
  expect((await reservePort(folder, wanted)).port).toBe(wanted);
});
