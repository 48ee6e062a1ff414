import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { notePort, wantedPort } from '../../src/project/wanted-port.js';
import { choosePort } from '../../src/stack/ports.js';
import { temporaryFolder } from '../stack/folder.js';

it('a port that REEVE_API_PORT names is refused where it is taken; no other one is taken instead (S6.1)', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(wantedPort({ REEVE_API_PORT: String(port) }, '')).rejects.toThrow(
    `REEVE_API_PORT is ${port}, and another program listens on that port. End it, or set another port.`,
  );
});

it('the port is the named one where it is free, the default one, or for 0 any (S6.1)', async () => {
  const home = await temporaryFolder();
  const free = await choosePort();
  expect(await wantedPort({ REEVE_API_PORT: String(free) }, home)).toBe(free);
  expect(await wantedPort({}, home)).toBe(8_234);
  expect(await wantedPort({ REEVE_API_PORT: '0' }, home)).toBeGreaterThan(0);
});

it('the port stays the same from one start to the next (S6.1)', async () => {
  const home = await temporaryFolder();
  await notePort(home, 23_456);
  expect(await wantedPort({}, home)).toBe(23_456);
});
