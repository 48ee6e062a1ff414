import type { TraceSpan } from './trace-span.js';

/** Describes where spans go. */
export interface Traces {
  add(span: TraceSpan): void;
  /** Exports the spans that wait. */
  close(): Promise<void>;
}

/**
 * Opens traces by OTLP over HTTP, when `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` names a collector.
 * Without that there are none, and nothing of OpenTelemetry is loaded. The other standard settings of the exporter count too.
 */
export async function openTraces(process: string, env: NodeJS.ProcessEnv): Promise<Traces | undefined> {
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) return undefined;
  const [{ OTLPTraceExporter }, { SpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('./span-processor.js'),
  ]);
  return new SpanProcessor(new OTLPTraceExporter(), env['OTEL_SERVICE_NAME'] || `reeve-${process}`);
}
