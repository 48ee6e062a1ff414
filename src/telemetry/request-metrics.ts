import { Gauge, Histogram, type Registry } from 'prom-client';
import { REQUEST_BUCKETS } from './buckets.js';

/** An HTTP request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route as it is declared, with `:key`. It never has a key itself. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/**
 * Measures of the HTTP requests of the management service. The number of its instances can follow the number of requests in
 * flight. S6.1
 */
export class RequestMetrics {
  readonly #inFlight;
  readonly #seconds;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#inFlight = new Gauge({
      name: 'reeve_http_requests_in_flight',
      help: 'HTTP requests that wait for their answer.',
      registers,
    });
    this.#seconds = new Histogram({
      name: 'reeve_http_request_duration_seconds',
      help: 'From an HTTP request to its answer; of a stream, to its beginning.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    });
  }

  begun(): void {
    this.#inFlight.inc();
  }

  answered({ seconds, ...labels }: AnsweredRequest): void {
    this.#inFlight.dec();
    this.#seconds.observe(labels, seconds);
  }
}
