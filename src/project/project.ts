import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyComponent } from '../components/index.js';
import type { AnyDistributedOperation } from '../distributed/index.js';
import { dimensionNames } from '../definition/dimension-names.js';
import type { AnyEntity } from '../definition/entity.js';
import { DEFAULT_TASK_QUEUE } from '../protocol/names.js';
import type { EntityModule } from '../service/module.js';
import type { Resource } from '../definition/resource.js';
import { contractOf, type ImplementedResource } from '../temporal/resources.js';
import type { EntityWorkflows } from '../temporal/workflows.js';
import type { OpenExecutor, OpenWorker, StartMore } from './hooks.js';
import {
  isComponent,
  isDistributedOperation,
  isEntity,
  isEntityWorkflows,
  isImplementedResource,
  isModule,
  isResource,
} from './kinds.js';
import { exportsOf, importModule, type ModuleExports } from './module-exports.js';
import { ProjectError, together } from './project-error.js';
import {
  describeSetting,
  findSettings,
  type FileSetting,
  type FoundSettings,
  type ProjectSettings,
} from './settings.js';
import { TASK_QUEUE_VARIABLE } from './task-queue.js';

/** Where `reeve build` puts the workflow code, unless package.json says otherwise. */
const BUNDLE = 'dist/workflow-bundle.js';

/**
 * A project: what its package.json names under `reeve`. Its modules are imported when they are asked for, each once. Each method
 * that imports one throws a `ProjectError` where it is not named, is missing or lacks what it should export. S3.9
 */
export class Project {
  /** Files are named from here. */
  readonly folder: string;
  readonly settings: ProjectSettings;
  readonly #file: string | undefined;

  constructor({ folder, file, settings }: FoundSettings) {
    this.folder = folder;
    this.settings = settings;
    this.#file = file;
  }

  /** The project of a folder. One without settings is found too, and has nothing. @throws ProjectError when the settings are not right */
  static async find(from = process.cwd()): Promise<Project> {
    return new Project(await findSettings(from));
  }

  /** All entity types; none where the project only has components or operations over partitions. */
  async entities(): Promise<readonly AnyEntity[]> {
    const { components, distributed, definitions } = this.settings;
    if (definitions === undefined && (components !== undefined || distributed !== undefined)) return [];
    const [file, module] = await this.#import('definitions');
    return exportsOf(file, module, {
      isOne: isEntity,
      missing: 'declaration',
      remedy: 'Export results of defineEntity(), singly or in a list.',
    });
  }

  /**
   * The modules in which the management service serves the entities: those that the module of the definitions exports, like `{ name:
   * 'control-plane', version: 1, entities }`, or else one with all of them, which package.json may name.
   */
  async modules(): Promise<readonly EntityModule[]> {
    const entities = await this.entities();
    if (entities.length === 0) return [];
    const [, exported] = await this.#import('definitions');
    const all = Object.values(exported).flat();
    const modules = all.filter(isModule);
    if (modules.length > 0) return modules;
    const { module = { name: 'entities', version: 1 } } = this.settings;
    return [{ ...module, entities, resources: all.filter(isResource) }];
  }

  /** The contracts of all resources that its modules name, export or implement, apart from what hooks bring. */
  async contracts(): Promise<readonly Resource[]> {
    const named = (await this.modules()).flatMap(({ resources = [] }) => resources);
    const exported =
      this.settings.definitions === undefined ? [] : Object.values((await this.#import('definitions'))[1]);
    const implemented = (await this.resources()).flatMap((resource) => contractOf(resource) ?? []);
    const all = [...named, ...exported.flat().filter(isResource), ...implemented];
    return [...new Map(all.map((resource) => [resource.name, resource])).values()];
  }

  /** The components that are deployed on their own. W1 */
  async components(): Promise<readonly AnyComponent[]> {
    if (this.settings.components === undefined) return [];
    const [file, module] = await this.#import('components');
    return exportsOf(file, module, {
      isOne: isComponent,
      missing: 'component',
      remedy: 'Export results of component(), singly or in a list.',
    });
  }

  /** The types of operations over partitions. I8 */
  async distributed(): Promise<readonly AnyDistributedOperation[]> {
    if (this.settings.distributed === undefined) return [];
    const [file, module] = await this.#import('distributed');
    return exportsOf(file, module, {
      isOne: isDistributedOperation,
      missing: 'operation',
      remedy: 'Export results of defineDistributedOperation(), singly or in a list.',
    });
  }

  /** The resources that a worker serves, apart from what its hook brings. */
  async resources(): Promise<readonly ImplementedResource[]> {
    if (this.settings.resources === undefined) return [];
    const [file, module] = await this.#import('resources');
    return exportsOf(file, module, {
      isOne: isImplementedResource,
      missing: 'resource',
      remedy: 'Export results of implementResource(), singly or in a list.',
    });
  }

  /** All that is declared. @throws ProjectError with the mistakes of all modules */
  async declared() {
    const [modules, components, distributed] = await together([this.modules(), this.components(), this.distributed()]);
    const entities = modules.flatMap((module) => module.entities);
    return { modules, entities, components, distributed, dimensions: dimensionNames(entities) };
  }

  /** Returns what the project brings to a worker. */
  openWorker(): Promise<OpenWorker | undefined> {
    return this.#hook<OpenWorker>('worker');
  }

  /** Returns what the project brings to an executor. @throws ProjectError when it brings nothing */
  async openExecutor(): Promise<OpenExecutor> {
    return (await this.#hook<OpenExecutor>('executor')) ?? this.#missing('executor');
  }

  /** Returns what the project starts besides, with `reeve up`. */
  startMore(): Promise<StartMore | undefined> {
    return this.#hook<StartMore>('up');
  }

  /** The absolute path of the module that is bundled. @throws ProjectError when none is named, or it is not there */
  async workflows(): Promise<string> {
    const path = this.pathOf('workflows');
    if (path === undefined) return this.#missing('workflows');
    return this.#existing(path, 'Build the project first: npm run build.');
  }

  /**
   * The code that is bundled, where it can be compared: a project may have nothing but the bundle.
   * @throws ProjectError when its module exports something else
   */
  async code(): Promise<EntityWorkflows | undefined> {
    const path = this.pathOf('workflows');
    if (path === undefined || !existsSync(path)) return undefined;
    const { default: code } = await importModule(path);
    if (isEntityWorkflows(code)) return code;
    const problem = 'has no default export that entityWorkflows() has made';
    throw new ProjectError([{ place: path, problem, remedy: `Write 'export default entityWorkflows(...)'.` }]);
  }

  /** The absolute path of the built workflow code, whether it is there or not. */
  get bundle(): string {
    return this.pathOf('bundle') ?? join(this.folder, BUNDLE);
  }

  /** The absolute path of the built workflow code. @throws ProjectError when it is not there */
  async builtBundle(): Promise<string> {
    if (this.settings.bundle === undefined && this.settings.workflows === undefined) return this.#missing('workflows');
    return this.#existing(this.bundle, "Build it: npm run build, or 'reeve build'.");
  }

  /** The absolute path of the folder with the diagrams that the build has laid out. */
  get diagrams(): string {
    return join(this.bundle, '..', 'diagrams');
  }

  /**
   * The task queue that the project's workers serve, and on which its entities are created: the one that REEVE_TASK_QUEUE names, else
   * that of package.json, else the default.
   */
  taskQueue(env: NodeJS.ProcessEnv = process.env): string {
    return env[TASK_QUEUE_VARIABLE] || this.settings.taskQueue || DEFAULT_TASK_QUEUE;
  }

  /** The absolute path of a file that package.json names, if it names one. */
  pathOf(name: FileSetting): string | undefined {
    const path = this.settings[name];
    return path === undefined ? undefined : join(this.folder, path);
  }

  async #import(name: FileSetting): Promise<readonly [string, ModuleExports]> {
    const file = this.pathOf(name) ?? this.#missing(name);
    return [file, await importModule(file)];
  }

  async #hook<T>(name: 'worker' | 'executor' | 'up'): Promise<T | undefined> {
    if (this.settings[name] === undefined) return undefined;
    const [file, module] = await this.#import(name);
    if (typeof module['default'] === 'function') return module['default'] as T;
    const remedy = `Write 'export default async function (context) { ... }'.`;
    throw new ProjectError([{ place: file, problem: 'has no default export that is a function', remedy }]);
  }

  async #existing(path: string, remedy: string): Promise<string> {
    try {
      await access(path);
      return path;
    } catch {
      throw new ProjectError([{ place: path, problem: 'is not there', remedy }]);
    }
  }

  #missing(name: FileSetting): never {
    const problem = this.#file
      ? `names no ${name}`
      : `names no ${name}: there is no package.json here, nor in a folder above, with "reeve": { ... }`;
    const remedy = `Add "reeve": { "${name}": "<file>" } to package.json: ${describeSetting(name)}.`;
    throw new ProjectError([{ place: this.#file ?? this.folder, problem, remedy }]);
  }
}
