#!/usr/bin/env node
import { warnOfOldVariable } from '../stack/data-directory.js';
import { createProgram } from './program.js';

warnOfOldVariable(process.env);
const program = await createProgram(process.argv.slice(2));
await program.parseAsync();
