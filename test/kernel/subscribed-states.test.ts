import { expect, it } from 'vitest';
import { scheduledTimers } from '../../src/kernel/triggers/timers.js';
import { Lodge } from '../entities/lodge.js';
import { Puppet } from '../support/entities.js';

it('runs the time-out of a subscription in the states that it names (S4.3, S4.5)', () => {
  const lodge = new Puppet(Lodge);
  const names = () => scheduledTimers(Lodge, lodge.snapshot).map(({ name }) => name);
  lodge.raise('start');
  lodge.end('Closed');
  expect(names()).toEqual([]);
  lodge.raise('open');
  lodge.end('Open');
  expect(names()).toEqual(['heard.timeout']);
  lodge.pass();
  lodge.startTimer();
  lodge.end('Late');
  expect(lodge.snapshot.state).toBe('Late');
});
