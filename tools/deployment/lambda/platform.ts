import { startTemporalService, type TemporalService } from '../temporal-service.js';
import type { Invocations } from './invocations.js';
import { serveLambdaApi, type LambdaApi } from './lambda-api.js';

/** The stand-in for AWS, and a Temporal service whose Worker Controller invokes the function there. */
export interface Platform {
  readonly api: LambdaApi;
  readonly temporal: TemporalService;
  /** Says what an invocation is. Before that, nothing is invoked. */
  run(invocations: Invocations): void;
}

/** @param undo takes what ends it */
export async function startPlatform(home: string, undo: (() => Promise<void>)[]): Promise<Platform> {
  let invocations: Invocations | undefined;
  const api = await serveLambdaApi((arn, requestId) => invocations?.start(arn, requestId));
  undo.push(() => api.close());
  const temporal = await startTemporalService(home, ['workercontroller.enabled=true'], {
    ...{ AWS_ENDPOINT_URL: api.url, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' },
  });
  undo.push(() => temporal.stop());
  return { api, temporal, run: (given) => void (invocations = given) };
}

/** Gives what was wrong with the invocations of a trial in which some were to be cut off. */
export function invocationProblems({ counts }: Invocations, { refused }: LambdaApi): readonly string[] {
  return [
    ...(counts.timedOut > 0 ? [`${counts.timedOut} invocations were cut off at the time-out of the function`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} invocations failed: see their log`] : []),
    ...(counts.cutOff === 0 ? ['no invocation was cut off, so nothing is shown'] : []),
    ...(refused === 0 ? ['the Worker Controller has not tried the role without its external id'] : []),
  ];
}
