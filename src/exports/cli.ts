/*
 * `reeve/cli`: the command line as a library, to add commands of one's own.
 */
export { createProgram } from '../cli/program.js';
