import dns, { type Answer, type Packet, type Question } from 'dns-packet';
import { resourceName } from '../values/resource-name.js';
import { ZONE, type NameRecord } from './names.js';

const TTL_S = 5;
const NXDOMAIN = 3;
const REFUSED = 5;

/** Looks up the record of a name in the zone. */
export type Lookup = (name: string) => Promise<NameRecord | undefined>;

/**
 * Answers one DNS question with authority for the zone: A for the name of a server, and SRV for that name and for the name with
 * `_postgresql._tcp.` before it. Names that do not exist get NXDOMAIN, and other zones are refused.
 */
export async function answerQuestion(query: Packet, lookup: Lookup): Promise<Packet> {
  const question = query.questions?.[0];
  if (!question) return reply(query, { rcode: 1 });
  const asked = question.name.toLowerCase();
  if (asked !== ZONE && !asked.endsWith(`.${ZONE}`)) return reply(query, { rcode: REFUSED });
  if (asked === ZONE) return reply(query, apex(question));

  const server = asked.slice(0, -ZONE.length - 1).replace(/^_postgresql\._tcp\./, '');
  const record = resourceName.safeParse(server).success ? await lookup(server) : undefined;
  if (!record) return reply(query, { rcode: NXDOMAIN, authorities: [soa()] });
  const host = `${server}.${ZONE}`;
  const a: Answer = { type: 'A', name: host, ttl: TTL_S, class: 'IN', data: record.address };
  const isHost = asked === host;
  const wants = (type: string) => question.type === type || (question.type as string) === 'ANY';
  const srv: Answer = {
    type: 'SRV',
    name: question.name,
    ttl: TTL_S,
    class: 'IN',
    data: { priority: 0, weight: 0, port: record.port, target: host },
  };
  const answers = [...(isHost && wants('A') ? [{ ...a, name: question.name }] : []), ...(wants('SRV') ? [srv] : [])];
  if (answers.length === 0) return reply(query, { authorities: [soa()] });
  return reply(query, { answers, ...(wants('SRV') && { additionals: [a] }) });
}

/** The answer to a message that cannot be understood. */
export function formatError(id: number): Packet {
  return { type: 'response', id, flags: dns.AUTHORITATIVE_ANSWER | 1, questions: [] };
}

function apex(question: Question): Reply {
  const ns: Answer = { type: 'NS', name: ZONE, ttl: TTL_S, data: `ns.${ZONE}` };
  if (question.type === 'SOA') return { answers: [soa()] };
  if (question.type === 'NS') return { answers: [ns] };
  return { authorities: [soa()] };
}

function soa(): Answer {
  const data = {
    mname: `ns.${ZONE}`,
    rname: `hostmaster.${ZONE}`,
    serial: 1,
    refresh: 60,
    retry: 60,
    expire: 600,
    minimum: TTL_S,
  };
  return { type: 'SOA', name: ZONE, ttl: TTL_S, class: 'IN', data };
}

interface Reply {
  readonly rcode?: number;
  readonly answers?: Answer[];
  readonly authorities?: Answer[];
  readonly additionals?: Answer[];
}

function reply(query: Packet, { rcode = 0, ...records }: Reply): Packet {
  const recursionDesired = (query.flags ?? 0) & dns.RECURSION_DESIRED;
  return {
    type: 'response',
    id: query.id ?? 0,
    // The lowest four bits of the flags are the response code.
    flags: dns.AUTHORITATIVE_ANSWER | recursionDesired | rcode,
    questions: query.questions ?? [],
    ...records,
  };
}
