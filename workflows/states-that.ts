/**
 * The states for which a table says `true`. The table must name every state, so that a new state does not compile before somebody
 * has decided: `statesThat({ ... } as const satisfies Record<ServerState, boolean>)`.
 */
export function statesThat<Table extends Readonly<Record<string, boolean>>>(table: Table): readonly True<Table>[] {
  return Object.keys(table).filter((state): state is True<Table> => table[state] === true);
}

type True<Table> = { [S in keyof Table & string]: Table[S] extends true ? S : never }[keyof Table & string];
