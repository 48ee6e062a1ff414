import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeCalendar } from '../../src/definition/calendar/calendar-words.js';
import { readCron, type CronPattern } from '../../src/definition/calendar/cron-pattern.js';
import { nextTick } from '../../src/definition/calendar/next-tick.js';
import { isTimeZone, localTime } from '../../src/definition/calendar/time-zone.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The ticks after a time, as ISO times to the minute. */
function ticks(cron: string, timeZone: string, after: string, count: number): readonly string[] {
  const found: string[] = [];
  let at = Date.parse(after);
  while (found.length < count) {
    at = nextTick({ cron, timeZone }, at);
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('a calendar', () => {
  it.each([
    ['forward', '2026-03-27T12:00Z', ['2026-03-28T02:00', '2026-03-29T01:00', '2026-03-30T01:00', '2026-03-31T01:00']],
    ['back', '2026-10-23T12:00Z', ['2026-10-24T01:00', '2026-10-25T02:00', '2026-10-26T02:00', '2026-10-27T02:00']],
  ])('keeps the local hour in Berlin where clocks go %s (S4.5)', (_, after, expected) => {
    expect(ticks('0 3 * * *', 'Europe/Berlin', after, 4)).toEqual(expected);
  });

  it.each([
    ['forward', '2026-10-02T12:00Z', ['2026-10-02T18:00', '2026-10-03T17:00', '2026-10-04T17:00']],
    ['back', '2026-04-03T00:00Z', ['2026-04-03T17:00', '2026-04-04T18:00', '2026-04-05T18:00']],
  ])('keeps the local hour in Sydney where clocks go %s (S4.5)', (_, after, expected) => {
    expect(ticks('0 4 * * *', 'Australia/Sydney', after, 3)).toEqual(expected);
  });

  it.each([
    ['a time', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['several times', '0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
    ['a time', '30 2 * * *', 'Australia/Sydney', '2026-10-03T00:00Z', ['2026-10-03T16:00', '2026-10-04T15:30']],
    ['midnight', '0 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06T04:00', '2026-09-07T03:00']],
    [
      'half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    ['a whole day', '0 9 30 12 *', 'Pacific/Apia', '2011-12-01T00:00Z', ['2011-12-30T10:00', '2012-12-29T19:00']],
  ])(
    'ticks once, at the change, for %s that does not exist: %s in %s (S4.5, next-tick.1)',
    (_, cron, zone, after, expected) => {
      expect(ticks(cron, zone, after, 2)).toEqual(expected);
    },
  );

  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      '0,30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    ['30 2 * * *', 'Australia/Sydney', '2026-04-04T00:00Z', ['2026-04-04T15:30', '2026-04-05T16:30']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00Z', ['2026-04-04T14:45', '2026-04-05T15:15']],
  ])('ticks once where a time comes twice: %s in %s (S4.5, next-tick.2)', (cron, zone, after, expected) => {
    expect(ticks(cron, zone, after, expected.length)).toEqual(expected);
  });

  it('ticks again and again in all hours, whatever clocks do (S4.5, next-tick.3)', () => {
    const all = (from: string) => ticks('*/30 * * * *', 'Europe/Berlin', from, 48).map((at) => Date.parse(`${at}Z`));
    for (const from of ['2026-03-28T18:10Z', '2026-10-24T18:10Z']) {
      expect(all(from)).toEqual(all(from).map((_, index) => Date.parse(from) + 20 * MINUTE + index * 30 * MINUTE));
    }
  });

  it.each([
    ['leap days over a century', '0 0 29 2 *', '2096-03-01T00:00Z', ['2104-02-29T00:00', '2108-02-29T00:00']],
    [
      'a day of the month or of the week',
      '0 0 13 * fri',
      '2026-03-10T00:00Z',
      ['2026-03-13T00:00', '2026-03-20T00:00'],
    ],
    ['days of the week by number', '0 0 * * 5-7', '2026-03-04T00:00Z', ['2026-03-06T00:00', '2026-03-07T00:00']],
    ['months by name', '0 0 1 JAN,jul *', '2026-03-04T00:00Z', ['2026-07-01T00:00', '2027-01-01T00:00']],
    ['steps of a range', '10-30/10 5 * * *', '2026-03-04T05:15Z', ['2026-03-04T05:20', '2026-03-04T05:30']],
  ])('knows %s: %s', (_, cron, after, expected) => {
    expect(ticks(cron, 'UTC', after, 2)).toEqual(expected);
  });

  it.each([
    ['0 0 3 * * *', 'has six fields: seconds are not supported'],
    ['3 *', 'has 2 of five fields'],
    ['@daily', 'has 1 of five fields'],
    ['60 * * * *', "has '60' as minute, which takes 0 to 59"],
    ['* 22-2 * * *', "has '22-2' as hour, which takes 0 to 23"],
    ['* * 0 * *', "has '0' as day of the month, which takes 1 to 31"],
    ['* * L * *', "has 'L' as day of the month, which takes 1 to 31"],
    ['* * * monday *', "has 'monday' as month, which takes 1 to 12"],
    ['* * * * 8', "has '8' as day of the week, which takes 0 to 7"],
    ['5/10 * * * *', "has '5/10' as minute, which takes 0 to 59"],
    ['*/0 * * * *', "has '*/0' as minute, which takes 0 to 59"],
    [', * * * *', "has ',' as minute, which takes 0 to 59"],
    ['0 0 30 2 *', 'never ticks: no such month has such a day'],
    ['0 0 31 4,6 *', 'never ticks: no such month has such a day'],
  ])("refuses '%s'", (cron, problem) => {
    expect(readCron(cron)).toEqual({ problem });
  });

  it('knows the zones of the IANA database', () => {
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true);
    expect(['Europe/Gotham', 'CEST', '', 'local'].some(isTimeZone)).toBe(false);
  });

  it.each([
    ['0 3 * * *', 'every day at 03:00 in Europe/Berlin'],
    ['0,30 6,18 * * *', 'every day at 06:00, 06:30, 18:00 and 18:30 in Europe/Berlin'],
    ['15 7 * * mon-fri', 'every Monday, Tuesday, Wednesday, Thursday and Friday at 07:15 in Europe/Berlin'],
    ['0 0 1,15 * *', 'on day 1 and 15 of every month at 00:00 in Europe/Berlin'],
    ['*/5 * * * *', "by cron '*/5 * * * *' in Europe/Berlin"],
    ['0 3 1 1 *', "by cron '0 3 1 1 *' in Europe/Berlin"],
    ['0 3 1 * mon', "by cron '0 3 1 * mon' in Europe/Berlin"],
  ])("says '%s' in words", (cron, words) => {
    expect(describeCalendar({ cron, timeZone: 'Europe/Berlin' })).toBe(words);
  });

  it('ticks as a clock does that is read minute by minute, in any zone and over any change (S4.5)', () => {
    fc.assert(
      fc.property(
        aCron(),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 2016, max: 2037 }),
        fc.nat(),
        (cron, zone, year, pick) => {
          const changes = changesIn(zone, year);
          const change = changes[pick % changes.length] ?? Date.UTC(year, 0, 1 + (pick % 360));
          const [from, until] = [change - 3 * HOUR, change + 9 * HOUR];
          const found: number[] = [];
          for (
            let at = nextTick({ cron, timeZone: zone }, from - 1);
            at < until;
            at = nextTick({ cron, timeZone: zone }, at)
          )
            found.push(at);
          expect(found).toEqual(readByMinute(cron, zone, from, until));
        },
      ),
      { numRuns: 12 },
    );
  });
});

const ZONES = [
  ...[
    'Europe/Berlin',
    'Europe/Dublin',
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'America/Santiago',
    'America/Havana',
  ],
  ...['America/St_Johns', 'Africa/Casablanca', 'Asia/Gaza', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Antarctica/Troll'],
];

/** A pattern for any day, with a field that takes a few values or all. */
function aCron(): fc.Arbitrary<string> {
  const field = (most: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: 1, max: 12 }).map((step) => `*/${step}`),
      fc.integer({ min: 0, max: most }).map(String),
      fc
        .uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 3 })
        .map((values) => values.join(',')),
    );
  return fc.tuple(field(59), fc.oneof(field(3), field(23))).map(([minute, hour]) => `${minute} ${hour} * * *`);
}

/** The days of a year on which clocks change, to a quarter of a day. */
function changesIn(zone: string, year: number): readonly number[] {
  const quarters = Array.from({ length: 365 * 4 }, (_, index) => Date.UTC(year, 0, 1) + (index * DAY) / 4);
  const offsets = quarters.map((at) => localTime(zone, at) - at);
  return quarters.filter((_, index) => offsets[index] !== (offsets[index + 1] ?? offsets[index]));
}

/** The ticks as one finds them who looks at the clock each minute, and knows what it has shown before. */
function readByMinute(cron: string, zone: string, from: number, until: number): readonly number[] {
  const { minutes, hours } = (readCron(cron) as { readonly pattern: CronPattern }).pattern;
  const fits = (local: number) =>
    minutes.includes(new Date(local).getUTCMinutes()) && hours.includes(new Date(local).getUTCHours());
  const isPeriod = hours.length === 24;
  let latest = localTime(zone, from - 4 * HOUR);
  for (let at = from - 4 * HOUR; at < from; at += MINUTE) latest = Math.max(latest, localTime(zone, at));
  const found: number[] = [];
  for (let at = from; at < until; at += MINUTE) {
    const local = localTime(zone, at);
    let leftOut = false;
    for (let time = latest + MINUTE; time < local; time += MINUTE) leftOut ||= fits(time);
    if (isPeriod ? fits(local) : leftOut || (fits(local) && local > latest)) found.push(at);
    latest = Math.max(latest, local);
  }
  return found;
}
