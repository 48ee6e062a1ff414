import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import type { BundlerPlugin, WorkflowBundleOption, WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { FAILURE_CONVERTER } from '../secrecy/data-converter.js';
import { schemasApart } from './bundled-schemas.js';
import { workerSdk } from './worker-sdk.js';

/** Describes where the code for workflows is. */
export interface WorkflowSources {
  /** Absolute path of the module whose default export is `entityWorkflows(...)`. */
  readonly workflowsPath: string;
  /**
   * Absolute paths of the modules that hold declarations. They are loaded once for a worker and not once for each
   * entity, since building zod schemas costs time and memory.
   */
  readonly declarations?: readonly string[];
  /**
   * Is true if Temporal's UI can show where the code of a workflow waits (its "call stack"). That doubles the CPU time of a
   * worker. Errors have their stack without it, and `explain` tells what an entity waits for. Default false.
   */
  readonly callStacks?: boolean;
  /** Modules with interceptors of workflows, and plugins of the bundler, as `bundleWorkflowCode` of the SDK takes them. */
  readonly interceptors?: readonly string[];
  readonly plugins?: readonly BundlerPlugin[];
}

/** Workflow code in one file. */
export interface BundledWorkflows extends WorkflowBundleWithSourceMap {
  /** The absolute paths of all files that it was made of. */
  readonly inputs: readonly string[];
}

/**
 * Bundles workflow code, so that workers start quickly. Sources may be TypeScript or JavaScript.
 * @throws TypeError when workflow code imports `reeve` or a module of Node, or when a schema of the bundle is not the declared one
 * @throws MissingPackage when `@temporalio/worker` is not installed
 */
export async function bundleWorkflows(sources: WorkflowSources): Promise<BundledWorkflows> {
  const importsReeve = new Set<string>();
  const importsNode = new Map<string, string>();
  const inputs = new Set<string>();
  const { bundleWorkflowCode, DefaultLogger } = workerSdk();
  const { code, sourceMap } = await bundleWorkflowCode({
    ...bundlerOptions(sources, [withoutNode(importsNode), withoutReeve(importsReeve)], inputs),
    workflowsPath: sources.workflowsPath,
    failureConverterPath: FAILURE_CONVERTER,
    workflowInterceptorModules: [LOG_ATTRIBUTES, HISTORY_GATE, UPDATE_NAMES, ...(sources.interceptors ?? [])],
    ...(sources.plugins && { plugins: [...sources.plugins] }),
    logger: new DefaultLogger('WARN'),
  });
  const forbidden = forbiddenImports(importsReeve, importsNode);
  if (forbidden.length > 0) throw new TypeError(forbidden.join('\n'));
  const apart = await schemasApart(code, [sources.workflowsPath, ...(sources.declarations ?? [])]);
  if (apart.length > 0) {
    throw new TypeError(
      `The bundle does not have the schemas that are declared: ${apart.join('; ')}. The bundler has changed them, and workers would ` +
        `take other values than the service. Install another version of webpack, and bundle again.`,
    );
  }
  // The module that begins a bundle is made up by the bundler, and is no file.
  const inputFiles = [...inputs].filter(existsSync).sort();
  return { code: LOCAL_BUILT_INS + CLEAR_ERRORS + code, sourceMap, inputs: inputFiles };
}

/** Describes the imports that workflow code cannot have: a line for `reeve`, and one for all modules of Node. */
function forbiddenImports(importsReeve: ReadonlySet<string>, importsNode: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  if (importsReeve.size > 0) {
    lines.push(
      `Workflow code cannot import 'reeve', as ${[...importsReeve].join(', ')} does: ` +
        `import it from 'reeve/definition', which has all that declarations and actions need.`,
    );
  }
  if (importsNode.size > 0) {
    const imports = [...importsNode].map(([importer, request]) => `'${request}', as ${importer} does`);
    lines.push(
      `Workflow code cannot import ${imports.join(', nor ')}: it runs again from its history, and so may not touch what is ` +
        `outside. Do this in a call of a resource (implementResource), whose module no workflow code imports, and call that ` +
        `from the action.`,
    );
  }
  return lines;
}

/** Says to `infra/failure-converter.cjs` whether messages and stacks of errors are encoded. It is on the first line as well. */
const CLEAR_ERRORS = 'const REEVE_ENCODES_ERRORS = false; ';
const ENCODED_ERRORS = 'const REEVE_ENCODES_ERRORS = true; ';

/**
 * The bundle as a worker runs it. Where payloads are encrypted, what workflows say of errors is encoded, so that it is encrypted too. Q5
 * @throws TypeError when `bundleWorkflows` has not made it: entities would run without their gate
 */
export async function bundleForWorker(bundle: WorkflowBundleOption, encrypts: boolean): Promise<WorkflowBundleOption> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  if (!code.includes(CLEAR_ERRORS) && !code.includes(ENCODED_ERRORS)) {
    throw new TypeError(
      'The bundle of workflow code lacks what entities need. Make it by bundleWorkflows(), or by `reeve build`.',
    );
  }
  return encrypts ? { code: code.replace(CLEAR_ERRORS, ENCODED_ERRORS) } : bundle;
}

/**
 * Built-ins as variables of the bundle. In the sandbox, each read of a global goes through an interceptor of Node and takes a
 * hundred times as long as the read of a variable. These built-ins are the same in all workflows, and the SDK replaces none of
 * them. The text stands on the first line, so that the source map stays right.
 */
const LOCAL_BUILT_INS = `const { ${[
  ...['Object', 'Array', 'JSON', 'Math', 'Map', 'Set', 'Number', 'String', 'Boolean', 'Symbol', 'RegExp', 'BigInt'],
  ...['Promise', 'Error', 'Reflect', 'Proxy', 'WeakMap', 'WeakSet', 'Uint8Array'],
  ...['parseInt', 'parseFloat', 'isNaN', 'isFinite'],
].join(', ')} } = globalThis; `;

/**
 * The part of this library that workflow code uses. It is loaded once for a worker: otherwise each entity would have classes of
 * its own, and V8 could not use the code that it has optimised for one for the next. The part holds no state.
 */
const LIBRARY = modulePath('../workflows');
const LOG_ATTRIBUTES = modulePath('./workflow-log-attributes');
const HISTORY_GATE = modulePath('./history-gate');
const UPDATE_NAMES = modulePath('./update-names');
const UNTRACED_PROMISES = modulePath('./untraced-promises');
const SHAREABLE_SCHEMAS = modulePath('./shareable-schemas');
const FROZEN_BUILT_INS = modulePath('./frozen-built-ins');

/** The path of a module among the sources or in the build, wherever this module is. */
function modulePath(relative: string): string {
  return fileURLToPath(new URL(`${relative}${extname(import.meta.url)}`, import.meta.url));
}

function bundlerOptions(
  { declarations = [], callStacks = false }: WorkflowSources,
  without: readonly External[],
  inputs: Set<string>,
) {
  return {
    preloadModules: [
      ...(callStacks ? [] : [UNTRACED_PROMISES]),
      LIBRARY,
      ...declarations,
      SHAREABLE_SCHEMAS,
      FROZEN_BUILT_INS,
    ],
    webpackConfigHook: ({
      resolve,
      externals,
      optimization,
      module,
      plugins = [],
      ...config
    }: WebpackConfig): object => ({
      ...config,
      module: { ...module, rules: module?.rules?.map(asNodeRunsIt) },
      // A stack names lines. With columns, the map that each start of a worker reads is several times as large.
      devtool: 'inline-cheap-module-source-map',
      // webpack 5.113 takes `z.coerce.number` for `z.number` when it leaves out modules without side effects.
      optimization: { ...optimization, sideEffects: false },
      plugins: [...plugins, noteInputs(inputs)],
      // TypeScript's own rule: an import of './x.js' means './x.ts' where that is the source.
      resolve: { ...resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
      externals: [...without, externals],
    }),
  };
}

/** Says of an import what it becomes outside the bundle; nothing for one that is bundled. */
type External = (asked: {
  readonly request: string;
  readonly contextInfo: { readonly issuer: string };
}) => Promise<string | undefined>;

interface WebpackConfig {
  readonly module?: { readonly rules?: readonly unknown[] | undefined } | undefined;
  readonly optimization?: object;
  readonly resolve?: object;
  readonly externals?: unknown;
  readonly plugins?: readonly unknown[];
}

interface WebpackRule {
  readonly use?: { readonly options?: { readonly jsc?: object } };
}

/**
 * The rule of the SDK that compiles TypeScript, for the syntax that each Node of a worker knows. The SDK's own ES2017 replaces private
 * members and spreads by functions that take several times as long.
 */
function asNodeRunsIt(rule: unknown): unknown {
  const { use, ...others } = Object(rule) as WebpackRule;
  if (!use?.options?.jsc) return rule;
  const { options } = use;
  return { ...others, use: { ...use, options: { ...options, jsc: { ...options.jsc, target: 'es2022' } } } };
}

/** The part of webpack's compiler that tells of files. */
interface WebpackCompiler {
  readonly hooks: {
    readonly afterCompile: {
      tap(name: string, heard: (compilation: { readonly fileDependencies: Iterable<string> }) => void): void;
    };
  };
}

function noteInputs(inputs: Set<string>) {
  const note = ({ fileDependencies }: { readonly fileDependencies: Iterable<string> }) => {
    for (const path of fileDependencies) inputs.add(path);
  };
  return { apply: ({ hooks }: WebpackCompiler) => hooks.afterCompile.tap('reeve', note) };
}

/**
 * Keeps `reeve` out of bundles. Otherwise its use of Node would be reported in a hundred lines that do not name the mistake.
 */
function withoutReeve(importsReeve: Set<string>): External {
  return async ({ request, contextInfo }) => {
    if (!/^reeve(\/(cli|client|plugin|project|service|store|telemetry|testing|worker))?$/.test(request))
      return undefined;
    importsReeve.add(contextInfo.issuer);
    return 'undefined';
  };
}

/** The modules of Node for which the SDK has others that workflow code may use. */
const REPLACED = new Set(['assert', 'url', 'util']);

/** The same for modules of Node: importer by importer, the first that it imports. */
function withoutNode(importsNode: Map<string, string>): External {
  return async ({ request, contextInfo: { issuer } }) => {
    if (!isBuiltin(request) || REPLACED.has(request)) return undefined;
    if (!importsNode.has(issuer)) importsNode.set(issuer, request);
    return 'undefined';
  };
}
