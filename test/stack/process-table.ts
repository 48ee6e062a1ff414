import { readFile, readdir, readlink } from 'node:fs/promises';

const LISTENS = '0A';

/** The addresses that a process listens on, as the kernel writes them: `0100007F:1C41`. Linux only, see proc(5). */
export async function listenersOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch((error: Error) => error.message)),
  );
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENS && links.includes(`socket:[${fields[9]}]`))
    .map((fields) => fields[1]!);
}

/** The process that has started another one: for a kept command, its leash. Linux only. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
