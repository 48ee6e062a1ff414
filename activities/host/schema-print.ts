import type pg from 'pg';

/*
 * Replication carries rows, but not their tables. So what is declared in both databases is compared instead.
 */
const DECLARED = `
SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS print FROM (
  SELECT concat_ws(' ', 'column', attrelid::regclass, relkind, attname, format_type(atttypid, atttypmod), attnotnull) AS line
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND nspname !~ '^(pg_|information_schema$|reeve$)'
  UNION ALL SELECT concat_ws(' ', 'default', adrelid::regclass, adnum, pg_get_expr(adbin, adrelid)) FROM pg_attrdef
  UNION ALL SELECT concat_ws(' ', 'view', pg_class.oid::regclass, pg_get_viewdef(pg_class.oid))
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('v', 'm') AND nspname !~ '^(pg_|information_schema$|reeve$)'
  UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE conname <> ALL ($1)
  UNION ALL SELECT pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      JOIN pg_class AS index ON index.oid = indexrelid
    WHERE nspname !~ '^(pg_|information_schema$|reeve$)'
      AND index.relname <> ALL ($1) AND regexp_replace(index.relname, '_p[0-9]+$', '') <> ALL ($1)
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', 'function', pg_proc.oid::regprocedure, md5(prosrc))
    FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname !~ '^(pg_|information_schema$|reeve$)'
  UNION ALL SELECT concat_ws(' ', 'role', rolname, rolcanlogin, rolsuper, md5(rolpassword)) FROM pg_authid
) AS declared`;

/**
 * A text that is the same for two databases in which the same is declared: tables, views, functions, indexes and roles. Left out are
 * the indexes and constraints of some names, with those that belong to the indexes for each partition.
 */
export async function schemaPrint(client: pg.Client, leftOut: readonly string[] = []): Promise<string> {
  const { rows } = await client.query<{ print: string }>(DECLARED, [leftOut]);
  return rows[0]!.print;
}
