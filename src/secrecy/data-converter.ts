import {
  DefaultFailureConverter,
  defaultFailureConverter,
  defaultPayloadConverter,
  type DataConverter,
  type LoadedDataConverter,
} from '@temporalio/common';
import { createRequire } from 'node:module';
import { EncryptingCodec } from './payload-codec.js';
import type { PayloadSettings } from './payload-settings.js';
import { RefusingCodec } from './refusing-codec.js';

/**
 * The module that converts errors, for workers and their bundles: the SDK loads it by its path. It encodes messages and stacks, so that
 * the codec encrypts them.
 */
export const FAILURE_CONVERTER = createRequire(import.meta.url).resolve('#failure-converter');

/** How a client reads and writes payloads. Q5 */
export function clientConverter(settings: PayloadSettings, namespace: string): LoadedDataConverter {
  return {
    payloadConverter: defaultPayloadConverter,
    failureConverter: settings.keys
      ? new DefaultFailureConverter({ encodeCommonAttributes: true })
      : defaultFailureConverter,
    payloadCodecs: [new EncryptingCodec(settings, namespace)],
  };
}

/** The same for a worker. The bundle of its workflows has a converter of errors of its own: see `bundleForWorker`. Q5 */
export function workerConverter(settings: PayloadSettings, namespace: string): DataConverter {
  return {
    ...(settings.keys && { failureConverterPath: FAILURE_CONVERTER }),
    payloadCodecs: [new RefusingCodec(new EncryptingCodec(settings, namespace))],
  };
}
