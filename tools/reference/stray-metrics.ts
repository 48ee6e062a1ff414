/** The files that make the metrics of the page. */
const FILES = ['record-metrics', 'writer-metrics', 'request-metrics', 'running-operations', 'measure-attention'];

/** Each file of the source that makes metrics and is not among those of the page. */
export function strayMetrics(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([, text]) => /new (?:Counter|Gauge|Histogram)\(/.test(text))
    .filter(([file]) => !FILES.some((name) => file.endsWith(`/${name}.ts`)))
    .map(([file]) => `${file} makes metrics: add them to tools/reference/metrics.ts.`);
}
