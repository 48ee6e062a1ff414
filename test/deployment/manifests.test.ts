import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly { readonly image: string; readonly securityContext: object }[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const manifestsIn = (folder: string): readonly Manifest[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) =>
      parseAllDocuments(read(join(folder, name)), { merge: true }).map((document) => document.toJS() as Manifest),
    );

const BASE = 'infra/kubernetes/base';
const OVERLAYS = 'infra/kubernetes/overlays';
const dockerfile = read('infra/container/Dockerfile');
const targets = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name!);

describe('what deploys Reeve (Q3)', () => {
  it('has a Dockerfile that names what exists', () => {
    for (const [, sources] of dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)) {
      for (const source of sources!.split(' ')) expect(existsSync(source), source).toBe(true);
    }
    for (const [, path] of dockerfile.matchAll(/"\/app\/([\w/.-]+)"/g)) expect(existsSync(path!), path).toBe(true);
    const ignored = read('.dockerignore');
    for (const [, path] of ignored.matchAll(/^!([^*\n]+)$/gm)) expect(existsSync(path!), path).toBe(true);
  });

  it('gives images what the package needs beside what is built', () => {
    const { bin, imports } = JSON.parse(read('package.json')) as Record<'bin' | 'imports', Record<string, string>>;
    const given = [...read('.dockerignore').matchAll(/^!([^*\n]+)$/gm)].map(([, path]) => path!);
    for (const path of [...Object.values(bin), ...Object.values(imports)])
      expect(given, `.dockerignore keeps ${path} away from images`).toContain(path.replace(/^\.\//, ''));
  });

  it('starts programs that exist, by words that images, compose and manifests use', () => {
    const entry = read('infra/container/entry.mjs');
    const [, listed] = /^const PROGRAMS = \{(.+)\};$/m.exec(entry)!;
    const programs = new Map(
      [...listed!.matchAll(/(\w+): \['(\w+)'\]/g)].map(([, name, command]) => [
        name!,
        `src/cli/commands/${command}.ts`,
      ]),
    );
    expect([...programs.keys()]).toEqual(['worker', 'executor', 'service', 'prepare']);
    for (const path of programs.values()) expect(existsSync(path), path).toBe(true);
    for (const [, name] of dockerfile.matchAll(/^CMD \["(\w+)"\]$/gm)) expect(programs.has(name!)).toBe(true);
    const compose = parse(read('infra/compose.yaml'), { merge: true }) as {
      services: Record<string, { build?: { target: string } }>;
    };
    const built = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    expect(built.sort()).toEqual(['prepare', 'service', 'worker']);
    for (const target of built) expect(targets).toContain(target);
  });

  it('has manifests that are all listed, of containers that are not root and cannot write', () => {
    for (const folder of [BASE, ...readdirSync(OVERLAYS).map((name) => join(OVERLAYS, name))]) {
      const { resources } = parse(read(join(folder, 'kustomization.yaml'))) as {
        readonly resources: readonly string[];
      };
      for (const resource of resources) expect(existsSync(join(folder, resource)), resource).toBe(true);
      const listed = new Set(resources);
      for (const name of readdirSync(folder)) if (name !== 'kustomization.yaml') expect(listed, folder).toContain(name);
      for (const { spec } of manifestsIn(folder)) {
        for (const container of spec?.template?.spec.containers ?? []) {
          expect(targets).toContain(container.image.replace('reeve-', ''));
          expect(container.securityContext).toMatchObject({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
          });
          expect(spec?.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 });
        }
      }
    }
  });

  it('gives the workers of the Worker Controller the same pods as the others', () => {
    const podsOf = (folder: string, kind: string) =>
      manifestsIn(folder).find((manifest) => manifest.kind === kind && manifest.metadata.name === 'reeve-worker')?.spec
        ?.template;
    const pods = podsOf(BASE, 'Deployment');
    expect(pods).toBeDefined();
    expect(podsOf(join(OVERLAYS, 'worker-controller'), 'WorkerDeployment')).toEqual(pods);
  });

  it('has a template whose handler exists, and a role that insists on an external id', () => {
    const template = read('infra/lambda/template.yaml');
    const [, handler] = /Handler: dist\/(.+)\.handler$/m.exec(template) ?? [];
    expect(read(`${handler}.ts`)).toMatch(/^export const handler = /m);
    expect(template).toMatch(
      /Action: sts:AssumeRole\n\s+Condition:\n\s+StringEquals: \{ 'sts:ExternalId': !Ref ExternalId \}/,
    );
  });
});
