import { Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { measureAttention } from '../../src/service/attention/measure-attention.js';
import { FIXES, REASONS, type Reason } from '../../src/service/attention/reasons.js';
import { measureRunningOperations } from '../../src/telemetry/running-operations.js';
import { RecordMetrics } from '../../src/telemetry/record-metrics.js';
import { RequestMetrics } from '../../src/telemetry/request-metrics.js';
import { measureWriter } from '../../src/telemetry/writer-metrics.js';
import { code, made, prose, table, type Section } from './page.js';

/** The metrics by the process that has them. None is read here, so nothing is asked. */
const GROUPS: Readonly<Record<string, (registry: Registry) => void>> = {
  'Of workers: what entities do': (registry) => void new RecordMetrics(registry),
  'Of workers: the writer of the store': (registry) => measureWriter(registry, undefined as never),
  'Of the service: requests': (registry) => void new RequestMetrics(registry),
  'Of the service: operations': (registry) => measureRunningOperations(registry, undefined as never),
  'Of the service: what needs a person': (registry) => measureAttention(registry, undefined as never),
};

type Metric = MetricObjectWithValues<MetricValue<string>> & { readonly labelNames?: readonly string[] };

/** The page of metrics, with the reasons that one of them counts. */
export function metricPages(): Section {
  const text = [
    '# Metrics',
    made('src/telemetry'),
    'Workers serve these at `/metrics` of `REEVE_METRICS_PORT`, and the management service at that of `REEVE_API_METRICS_PORT`, in the ' +
      "formats of Prometheus and OpenMetrics. Both have the default metrics of a Node process too. A worker serves the Temporal SDK's own " +
      'metrics at `REEVE_TEMPORAL_METRICS`.',
    ...Object.entries(GROUPS).flatMap(([group, register]) => [`## ${group}`, metricTable(register)]),
    '## Reasons',
    'These are the values of `reason` of `reeve_attention`. `reeve attention` lists the same with what to do about each.',
    table(
      ['reason', 'the thing ...', 'call that fixes it'],
      Object.entries(REASONS).map(([reason, clause]) => [code(reason), clause, FIXES[reason as Reason] ?? '']),
    ),
  ].join('\n\n');
  return {
    title: 'Metrics',
    about: 'Every metric with its type and labels, and the reasons why something needs a person.',
    start: 'metrics.md',
    pages: [{ path: 'metrics.md', text }],
  };
}

function metricTable(register: (registry: Registry) => void): string {
  const registry = new Registry();
  register(registry);
  const metrics = registry.getMetricsAsArray() as unknown as readonly (Metric & {
    readonly constructor: { readonly name: string };
  })[];
  return table(
    ['metric', 'type', 'labels', ''],
    metrics.map((metric) => [
      code(metric.name),
      metric.constructor.name.toLowerCase(),
      (metric.labelNames ?? []).map(code).join(', '),
      prose(metric.help),
    ]),
  );
}
