import { shellWord } from '../definition/shell-word.js';
import { Problem } from './api/problem.js';

/** The advice of the service for those who have sent the key. */
const ADVICE = ' Repeat it with the same Idempotency-Key.';

/** The same problem in the words of the command line, where the command sends no key; other ones as they are. */
export function repeatable(problem: Problem): Problem {
  if (!problem.message.endsWith(ADVICE)) return problem;
  return problem.saying(`${problem.message.slice(0, -ADVICE.length)} Repeat the command.`);
}

/** The same problem with the command that repeats the request; other ones as they are. @param words the command, as it was typed */
export function toRepeat(thrown: unknown, key: string, words = process.argv.slice(2)): unknown {
  if (!(thrown instanceof Problem) || !thrown.message.endsWith(ADVICE)) return thrown;
  const isGiven = words.some((word) => word === '--request-id' || word.startsWith('--request-id='));
  const command = ['reeve', ...words.map(shellWord), ...(isGiven ? [] : ['--request-id', key])].join(' ');
  const message = `${thrown.message.slice(0, -ADVICE.length)} Repeat it with the same request id: nothing is raised twice.`;
  return thrown.saying(message, { ...thrown.details, request_id: key, repeat: command });
}
