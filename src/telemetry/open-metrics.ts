import { Registry, type Metric, type OpenMetricsContentType } from 'prom-client';

const TOTAL = '_total';

/**
 * The measures in the format of OpenMetrics. Only this format has exemplars: an operation for each bucket of the durations. The
 * older format of Prometheus has the same measures without exemplars.
 */
export async function openMetrics(registry: Registry): Promise<string> {
  const view = new Registry<OpenMetricsContentType>();
  view.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name, type } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name)!;
    view.registerMetric(String(type) === 'counter' && name.endsWith(TOTAL) ? withoutEnding(name, metric) : metric);
  }
  return view.metrics();
}

/** A counter for this format, where its name lacks the ending that its values have. */
function withoutEnding(name: string, metric: Metric): Metric {
  const get = async () => ({ ...(await metric.get()), name: name.slice(0, -TOTAL.length) });
  return Object.assign(Object.create(metric) as Metric, { name, get });
}

/** Tells whether a reader takes that format, by its `Accept` header. */
export function takesOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') ?? false;
}
