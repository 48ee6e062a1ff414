import { SpanKind, SpanStatusCode, TraceFlags, type HrTime, type Link, type SpanContext } from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { traceIdOf, type TraceSpan } from './trace-span.js';

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const SCOPE = { name: 'reeve' };

/** Brings spans to an exporter, in batches. When the exporter is away, spans are dropped, and nothing waits for it. */
export class SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #resource: Resource;

  constructor(exporter: SpanExporter, serviceName: string) {
    this.#batches = new BatchSpanProcessor({ exporter });
    this.#resource = defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName }));
  }

  readonly add = (span: TraceSpan): void => this.#batches.onEnd(this.#readable(span));

  /** Exports the spans that wait. */
  close(): Promise<void> {
    return this.#batches.shutdown();
  }

  #readable({ name, kind, operation, spanId, parentId, startedAt, endedAt, attributes, error, caller }: TraceSpan) {
    const traceId = traceIdOf(operation);
    const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
    return {
      ...{ name, kind: KINDS[kind], resource: this.#resource, instrumentationScope: SCOPE, ended: true },
      spanContext: () => context,
      ...(parentId !== undefined && { parentSpanContext: { ...context, spanId: parentId } }),
      startTime: timeOf(startedAt),
      endTime: timeOf(Math.max(startedAt, endedAt)),
      duration: timeOf(Math.max(0, endedAt - startedAt)),
      status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
      attributes: { ...attributes },
      links: linksTo(caller),
      events: [],
      ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    } satisfies ReadableSpan;
  }
}

function timeOf(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}

/** A link to the trace of the caller. A header that does not follow the standard of W3C is ignored. */
function linksTo(traceparent: string | undefined): Link[] {
  const parts = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent ?? '');
  if (!parts) return [];
  const [, traceId = '', spanId = '', flags = ''] = parts;
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return [{ context }];
}
