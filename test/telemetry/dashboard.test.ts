import { readFile } from 'node:fs/promises';
import { Client } from '@temporalio/client';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { RecordMetrics } from '../../src/telemetry/record-metrics.js';
import { RequestMetrics } from '../../src/telemetry/request-metrics.js';
import { measureRunningOperations } from '../../src/telemetry/running-operations.js';
import { measureWriter } from '../../src/telemetry/writer-metrics.js';

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

describe('the dashboard of Grafana (S5.5)', () => {
  it('asks for measures that are exported, and shows all of them', async () => {
    const registry = new Registry();
    new RecordMetrics(registry);
    new RequestMetrics(registry);
    // They are named here, and not read.
    measureWriter(registry, { measures: () => expect.unreachable() });
    measureRunningOperations(registry, Object.create(Client.prototype) as Client);
    const exported = registry.getMetricsAsArray().map(({ name }) => name);

    const file = new URL('../../infra/grafana/reeve.json', import.meta.url);
    const { panels } = JSON.parse(await readFile(file, 'utf8')) as Dashboard;
    const asked = new Set<string>();
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const named = expr.match(/\breeve_\w+/g) ?? [];
        expect(named, title).not.toEqual([]);
        for (const name of named) asked.add(name.replace(/_(bucket|count|sum)$/, ''));
      }
    }
    expect([...asked].filter((name) => !exported.includes(name))).toEqual([]);
    expect(exported.filter((name) => !asked.has(name))).toEqual(['reeve_store_queued_bytes']);
  });
});
