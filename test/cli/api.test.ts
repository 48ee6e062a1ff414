import { describe, expect, it, vi } from 'vitest';
import { tellDeployment } from '../../src/cli/api/deployments.js';
import { changeJob } from '../../src/cli/api/distributed.js';
import { askOnce } from '../../src/cli/ask-once.js';
import { ownFailure } from '../../src/cli/failure.js';
import { creationEvent } from '../../src/cli/api/creation-event.js';
import { HttpApi } from '../../src/cli/api/http-api.js';
import { findOperation, requestIdOf } from '../../src/cli/api/operation.js';
import { readList } from '../../src/cli/api/list.js';
import { shortId } from '../../src/cli/explanation/short-id.js';
import { Problem } from '../../src/cli/api/problem.js';
import { formatProblem } from '../../src/cli/output.js';
import { send } from '../../src/cli/take.js';
import { toRepeat } from '../../src/cli/to-repeat.js';
import { remoteSettings } from '../../src/cli/api/remote-settings.js';
import { Unreachable } from '../../src/cli/unreachable.js';

/** An API whose requests are answered, one after the other, by these; with what was asked. */
function answering(...answers: readonly ((request: Request) => Response)[]) {
  const asked: Request[] = [];
  const api = new HttpApi({
    ...{ base: 'https://reeve.example/there', retell: (problem) => problem },
    send: async (request) => {
      asked.push(request);
      return answers[asked.length - 1]!(request);
    },
  });
  return { api, asked };
}

/** A body that comes in these pieces, and then ends or breaks off. */
function stream(pieces: readonly string[], broken = false): () => Response {
  return () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          if (broken) controller.error(new TypeError('terminated'));
          else controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
}

const problem =
  (status: number, code: string, more: object = {}) =>
  () =>
    new Response(JSON.stringify({ type: 't', title: 'T', status, detail: `It is ${code}.`, code, ...more }), {
      status,
    });

async function changes(api: HttpApi): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for await (const { data, final } of api.follow('/x/change-stream')) seen.push(final ? [data] : data);
  return seen;
}

describe('the event that creates, where nobody names one (S2.1)', () => {
  const serving = (creation: readonly string[]) =>
    answering(() => Response.json({ Box: { path: '/api/test/v1/Box', states: [], displayNames: {}, creation } })).api;

  it.each([
    [['start', 'create'], 'create'],
    // One that is valid at first need not be one that creates.
    [['remove'], undefined],
    [['start', 'import'], undefined],
    [[], undefined],
  ])('of %j it is %s', async (creation, event) => {
    expect(await creationEvent(serving(creation), 'Box')).toBe(event);
  });

  it('of an unknown type it says so', async () => {
    const unknown = creationEvent(serving(['start']), 'Bxo');
    await expect(unknown).rejects.toThrow(
      "There is no entity type 'Bxo'. Did you mean 'Box'? The entity types are: Box.",
    );
  });
});

describe('a change stream (S6.1)', () => {
  it('is put together from its pieces, wherever they are cut, and goes on after what was seen', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
    try {
      const { api, asked } = answering(
        stream(['retry: 1000\n\n', 'event: change\nid: a\nda', 'ta: {"n":1}\n\n: still here\n\n']),
        () => {
          throw new Unreachable('down');
        },
        problem(503, 'no_answer'),
        stream(['event: end\r\nid: b\r\ndata: {"n":2}\r\n\r\n', 'event: change\nid: c\ndata: 3\n\n']),
      );
      expect(await changes(api)).toEqual([{ n: 1 }, [{ n: 2 }]]);
      expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'a', 'a', 'a']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of what is known to be there is waited for, while no worker answers (S4.7)', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
    try {
      const { api } = answering(problem(503, 'no_answer'), stream(['event: end\nid: b\ndata: 1\n\n']));
      expect((await api.follow('/x/change-stream', { toBeThere: true }).next()).value).toEqual({
        final: true,
        data: 1,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('that is over when it is asked for again has no more to tell', async () => {
    const { api } = answering(() => new Response(null, { status: 204 }));
    expect(await changes(api)).toEqual([]);
  });

  it('of what is not there, or not for whoever asks, is not asked for again', async () => {
    for (const [status, code] of [
      [404, 'absent'],
      [403, 'not_allowed'],
      [503, 'no_answer'],
    ] as const) {
      const { api, asked } = answering(problem(status, code));
      await expect(changes(api)).rejects.toMatchObject({ status, code, message: `It is ${code}.` });
      expect(asked).toHaveLength(1);
    }
  });
});

describe('an event that nobody has answered (S2.5)', () => {
  const detail = 'There was no answer within 5 s. Repeat it with the same Idempotency-Key.';
  const request = { entity: { type: 'Box', key: 'a' }, event: 'open', path: async () => '/api/boxes/a/open' };

  it('was sent with a key, and is told with the command that repeats it', async () => {
    const { api, asked } = answering(problem(503, 'no_answer', { detail }));
    const thrown = await send(api, request, {}).catch((thrown: unknown) => thrown);
    const key = asked[0]?.headers.get('idempotency-key');
    expect(key).toBeTruthy();
    expect(thrown).toMatchObject({ status: 503, details: { request_id: key } });
    expect(formatProblem(thrown as Problem)).toMatch(new RegExp(`\\n {2}reeve .*--request-id ${key}$`));
  });

  it('is told so too where it starts an operation over partitions, changes a job, or tells a deployment something', async () => {
    const calls: Readonly<Record<string, (api: HttpApi) => Promise<unknown>>> = {
      start: (api) => askOnce(api, '/api/distributed', { json: {} }),
      retry: (api) => changeJob(api, 'a/b/1', { partition: 1, call: 'retry', requestId: undefined }),
      set: (api) => tellDeployment(api, 'shop', 'attributes', { json: {} }),
    };
    for (const [name, call] of Object.entries(calls)) {
      const { api, asked } = answering(problem(503, 'no_answer', { detail }));
      const thrown = (await call(api).catch((caught: unknown) => caught)) as Problem;
      const key = asked[0]?.headers.get('idempotency-key');
      expect([name, thrown.details]).toMatchObject([name, { request_id: key }]);
      expect(thrown.message).not.toContain('Idempotency-Key');
    }
  });

  it('is told in the words of the command line where its command sends no key', async () => {
    const { api, asked } = answering(problem(503, 'no_answer', { detail }));
    const thrown = await tellDeployment(api, 'shop', 'ping').catch((caught: unknown) => caught);
    expect(asked[0]?.headers.has('idempotency-key')).toBe(false);
    expect(ownFailure(thrown)).toMatchObject({
      forPeople: expect.stringContaining('There was no answer within 5 s. Repeat the command.'),
      forPrograms: { code: 'no_answer', message: 'There was no answer within 5 s. Repeat the command.' },
    });
  });

  it.each([
    [[], ' --request-id k'],
    [['--request-id', 'k'], ' --request-id k'],
    [['--request-id=k'], ' --request-id=k'],
  ])('is repeated with one request id beside %j', (given, said) => {
    const words = ['raise', 'Box/a', 'open', '--params', '{"by":1}', ...given];
    expect(toRepeat(new Problem(503, 'no_answer', detail), 'k', words)).toMatchObject({
      message: 'There was no answer within 5 s. Repeat it with the same request id: nothing is raised twice.',
      details: { repeat: `reeve raise Box/a open --params '{"by":1}'${said}` },
    });
  });
});

describe('an operation that is named by the end of its id (S6.3)', () => {
  const rows = (...ids: readonly string[]) => Response.json({ value: ids.map((request_id) => ({ request_id })) });
  const filtersOf = (asked: readonly Request[]) => asked.map(({ url }) => new URL(url).searchParams.get('$filter'));

  it('is found by the whole id first, which may look like the end of one, also without the store', async () => {
    const { api, asked } = answering(() => Response.json({ request_id: 'abcdef012345', outcome: 'running' }));
    expect(await requestIdOf(api, 'abcdef012345')).toBe('abcdef012345');
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(['/there/api/operations/abcdef012345']);
  });

  it('is looked for by the end only where none has the whole id', async () => {
    const own = answering(() => rows('abcdef012345'));
    expect(await findOperation(own.api, 'abcdef012345')).toEqual({ request_id: 'abcdef012345' });
    expect(filtersOf(own.asked)).toEqual([`request_id eq 'abcdef012345'`]);
    const short = answering(
      problem(404, 'absent'),
      () => rows(),
      () => rows('01-abcdef012345'),
    );
    expect(await requestIdOf(short.api, 'abcdef012345')).toBe('01-abcdef012345');
    expect(filtersOf(short.asked)).toEqual([
      null,
      `request_id eq 'abcdef012345'`,
      `endswith(request_id,'abcdef012345')`,
    ]);
  });

  it('is found as a table shows it, whatever the id is', async () => {
    const { api, asked } = answering(() => rows('import of Oslo, again'));
    expect(await requestIdOf(api, '… Oslo, again')).toBe('import of Oslo, again');
    expect(filtersOf(asked)).toEqual([`endswith(request_id,' Oslo, again')`]);
  });

  it('is found by more of its end than the short id, as a double click takes it from a table; a whole UUID is no end', async () => {
    const id = '0199e3a0-5a61-7651-b189-25653a3c358b';
    const end = id.slice(14);
    const { api, asked } = answering(
      problem(404, 'absent'),
      () => rows(),
      () => rows(id),
    );
    expect(await requestIdOf(api, end)).toBe(id);
    expect(filtersOf(asked).at(-1)).toBe(`endswith(request_id,'${end}')`);
    const whole = answering();
    expect(await requestIdOf(whole.api, id)).toBe(id);
    expect(whole.asked).toHaveLength(0);
  });

  it('is found with the beginning of the mark of its target (S2.5)', async () => {
    const id = '0199e3a0-5a61-7361-aaf0-c45727b10038~x_GyQ6Evx_Gy';
    const { api, asked } = answering(
      problem(404, 'absent'),
      () => rows(),
      () => rows(id),
    );
    expect(await requestIdOf(api, shortId(id))).toBe(id);
    expect(shortId(id)).toBe('7b10038~x_Gy');
    expect(filtersOf(asked).at(-1)).toBe(
      `(endswith(request_id,'7b10038~x_Gy') or contains(request_id,'7b10038~x_Gy'))`,
    );
  });

  it('tells the operations apart that the same timer of two entities has begun (S6.3)', async () => {
    const id = 'Box/a#01a215ad-5d17-7b79-9cae-da5154c45e37/6/inspection';
    expect([shortId(id), shortId(id.replace('45e37', '4ffff'))]).toEqual(['5154c45e37/6', '5154c4ffff/6']);
    const { api, asked } = answering(
      problem(404, 'absent'),
      () => rows(),
      () => rows(id),
    );
    expect(await requestIdOf(api, shortId(id))).toBe(id);
    expect(filtersOf(asked).at(-1)).toBe(
      `(endswith(request_id,'5154c45e37/6') or contains(request_id,'5154c45e37/6/'))`,
    );
    // Another part of an id that looks alike is whole.
    expect(shortId('Box/a#1/6/inspection')).toBe('6/inspection');
  });

  it('is not looked for by anything else, and may be meant twice', async () => {
    const none = answering(() => rows());
    await expect(findOperation(none.api, 'nobody')).rejects.toThrow("There is no operation 'nobody' in the store.");
    expect(none.asked).toHaveLength(1);
    const two = answering(() => rows('a-012345678901', 'b-012345678901'));
    await expect(findOperation(two.api, '…012345678901')).rejects.toThrow('a-012345678901, b-012345678901');
  });
});

describe('a list (S6.2)', () => {
  const page = (names: readonly string[], next?: string) => () =>
    new Response(
      JSON.stringify({
        value: names.map((name) => ({ more: null, name, operation_id: 1 })),
        ...(next && { '@odata.nextLink': `/api/things?$skiptoken=${next}` }),
      }),
    );

  it('is read page after page until there are enough, and says where it goes on', async () => {
    const { api, asked } = answering(page(['1', '2'], 'a%2Bb'), page(['3'], 'c'));
    const query = {
      view: 'operations' as const,
      conditions: ["name eq 'x'"],
      where: 'n gt 0',
      order: 'n',
      top: 3,
      expand: 'more',
    };
    const { rows, next } = await readList(api, '/api/things', query);
    expect([rows.map((row) => Object.values(row as object)[1] as unknown), next]).toEqual([['1', '2', '3'], 'c']);
    // In the order of the view, with what it does not have at the end.
    expect(Object.keys(rows[0] as object)).toEqual(['operation_id', 'name', 'more']);
    const [first, second] = asked.map(({ url }) => new URL(url));
    expect(first?.pathname).toBe('/there/api/things');
    expect(first?.searchParams.get('$filter')).toBe("(n gt 0) and name eq 'x'");
    expect(second?.searchParams.get('$skiptoken')).toBe('a+b');
    // Anything that is expanded makes pages shorter by so much.
    expect(asked.map(({ headers }) => headers.get('prefer'))).toEqual(['maxpagesize=12', 'maxpagesize=4']);
  });

  it('names the mistake of a filter by the place in what the user has written', async () => {
    const issues = [{ path: '$filter', message: '$filter, character 4: no', position: 4 }];
    const wrong = problem(400, 'odata_syntax', { detail: '$filter, character 4: no.', issues });
    const query = { view: 'operations' as const, order: 'n', top: 1, where: 'a b' };
    const of = (conditions: readonly string[]) =>
      readList(answering(wrong).api, '/api/things', { ...query, conditions });
    await expect(of([])).rejects.toThrow('--where, character 4: no.');
    const told = await of(['n eq 1']).catch((thrown: unknown) => formatProblem(thrown as Problem));
    expect(told).toBe('odata_syntax: --where, character 3: no.');
    await expect(of(['n eq 1'])).rejects.toThrow('--where, character 3: no.');
  });
});

describe('an answer that no management service gives', () => {
  it('is a problem of its own', async () => {
    const { api } = answering(() => new Response('<html>', { status: 502 }));
    await expect(api.ask('GET', '/api')).rejects.toSatisfy((thrown) => {
      return thrown instanceof Problem && thrown.code === 'http_502' && /REEVE_API/.test(thrown.message);
    });
  });
});

describe('REEVE_API', () => {
  it('is an address, whose slash at the end and user are left out', () => {
    expect(remoteSettings({})).toBeUndefined();
    expect(remoteSettings({ REEVE_API: 'https://me:secret@reeve.example:1/a/', REEVE_API_KEY: 'k' })).toEqual({
      url: 'https://reeve.example:1/a',
      key: 'k',
    });
    for (const url of ['reeve.example', 'ftp://reeve.example']) {
      expect(() => remoteSettings({ REEVE_API: url })).toThrow('which is not an address');
    }
    expect(() => remoteSettings({ REEVE_API_KEY: 'k' })).toThrow('REEVE_API is not');
  });
});
