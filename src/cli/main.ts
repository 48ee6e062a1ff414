#!/usr/bin/env node
import { createProgram } from './program.js';

const program = await createProgram(process.argv.slice(2));
await program.parseAsync();
