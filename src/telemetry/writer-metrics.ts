import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreWriter, WriterMeasures } from '../store/index.js';

/** Measures what the store's writer has done and still has to do. S5.5 */
export function measureWriter(registry: Registry, writer: Pick<StoreWriter, 'measures'>): void {
  const registers = [registry];
  const total = (name: string, help: string, of: (measures: WriterMeasures) => number) =>
    new Counter({
      name: `reeve_store_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(of(writer.measures()));
      },
    });
  const now = (name: string, help: string, of: (measures: WriterMeasures) => number) =>
    new Gauge({
      name: `reeve_store_${name}`,
      help,
      registers,
      collect() {
        this.set(of(writer.measures()));
      },
    });
  total('written_records', 'Records that were offered and written.', ({ written }) => written);
  total(
    'confirmed_records',
    'Records that were already in the store when they were to be confirmed.',
    ({ confirmed }) => confirmed,
  );
  total('kept_records', 'Records that were sent to be kept.', ({ kept }) => kept);
  total(
    'dropped_records',
    'Records that were dropped because too many waited. They are brought again.',
    (m) => m.dropped,
  );
  total('refused_rows', 'Rows that PostgreSQL does not take.', ({ refused }) => refused);
  total('failed_batches', 'Batches that failed because the store was unavailable.', ({ failures }) => failures);
  now('queued_records', 'Records that wait to be written.', ({ queued }) => queued);
  now('queued_bytes', 'Approximate size as JSON of the records that wait.', ({ queuedBytes }) => queuedBytes);
  now('lag_seconds', 'How long the oldest record has waited.', ({ lagMs }) => lagMs / 1_000);
  now('unavailable', '1 while the store is unavailable.', ({ away }) => (away ? 1 : 0));
}
