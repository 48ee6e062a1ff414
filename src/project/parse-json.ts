import { ProjectError } from './project-error.js';

/** Gives what a file of JSON says. @throws ProjectError where its text is not JSON, with the remedy */
export function parseJson(text: string, file: string, remedy: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new ProjectError([{ place: file, problem: `is not JSON: ${(thrown as SyntaxError).message}`, remedy }]);
  }
}
