import type { Field } from './field.js';

/** Finds what is wrong with what the operations have done to the field: nothing when each did what it says. I1, I2, I6 */
export async function examineField(
  { pool }: Field,
  {
    stamps,
    partitions,
    rows,
    lost,
  }: { readonly stamps: number; readonly partitions: number; readonly rows: number; readonly lost: number },
): Promise<readonly string[]> {
  const problems: string[] = [];
  const ask = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows;
  const wanted = stamps * partitions * rows;
  const [stamped] = await ask<{ count: number; done: number; distinct: number }>(
    'select count(*)::int count, coalesce(sum(times), 0)::int done, count(distinct (instance, partition, row))::int "distinct" from stamped',
  );
  if (stamped!.count !== wanted) problems.push(`${stamped!.count} rows are stamped, and ${wanted} should be`);
  if (stamped!.distinct !== stamped!.count)
    problems.push(
      `${stamped!.count - stamped!.distinct} rows are stamped at two places: a job was not cleaned up where it was`,
    );
  const split = await ask<{ partition: number }>(
    'select instance, partition from stamped group by instance, partition having count(distinct place) > 1',
  );
  if (split.length > 0) problems.push(`${split.length} jobs were done partly here and partly there`);
  // The work that a process had under way when it was killed is done again; nothing else is.
  const again = stamped!.done - stamped!.count;
  if (again > lost)
    problems.push(
      `${again} rows were stamped again, more than the ${lost} that were under way when a process was ended`,
    );
  const [surveyed] = await ask<{ count: number }>('select count(*)::int count from surveyed');
  if (surveyed!.count !== wanted) problems.push(`${surveyed!.count} rows are surveyed, and ${wanted} should be`);
  const [completed] = await ask<{ count: number }>('select count(*)::int count from completed');
  if (completed!.count !== 2 * stamps)
    problems.push(
      `${completed!.count} operations are completed, and ${2 * stamps} should be: each stamping starts one survey`,
    );
  return problems;
}
