import type { Reporter, TestModule } from 'vitest/node';

/** A table from requirement to scenario, with how it went on each driver. */
export default class ConformanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Record<string, string>>();
    let red = 0;
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const { state } = test.result();
      if (state !== 'passed') red++;
      const named = /^(\S+) (.*) \[(\w+)\]$/.exec(test.name);
      if (!named) {
        if (state !== 'passed') console.log(`FAIL  ${test.name}: ${test.result().errors?.[0]?.message ?? ''}`);
        continue;
      }
      const [, id = '', title = '', driver = ''] = named;
      rows.set(`${id.padEnd(5)} ${title}`, {
        ...rows.get(`${id.padEnd(5)} ${title}`),
        [driver]: state === 'passed' ? 'ok' : 'FAIL',
      });
    }
    console.log(`\n${'id    scenario'.padEnd(100)}  simulator  Temporal`);
    for (const [name, { simulator = '-', Temporal = '-' }] of rows) {
      console.log(`${name.padEnd(100)}  ${simulator.padEnd(9)}  ${Temporal}`);
    }
    console.log(red === 0 ? `\n${rows.size} scenarios, all green, no requirement missing` : `\n${red} red`);
  }
}
