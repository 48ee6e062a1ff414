import { readFile } from 'node:fs/promises';
import { MODEL_VERSION, type Model } from '../../../definition/evolution/model.js';
import { messageOf } from '../../../definition/thrown.js';
import { UsageError } from '../../usage-error.js';

/** Reads what `reeve model` has written. @throws UsageError when it is not that, or of a newer format */
export async function readModel(file: string): Promise<Model> {
  let model: Partial<Model>;
  try {
    model = JSON.parse(await readFile(file, 'utf8')) as Partial<Model>;
  } catch (thrown) {
    throw new UsageError(`${file} cannot be read: ${messageOf(thrown)}. Write it with: reeve model > ${file}`);
  }
  if (model.format !== 'reeve model')
    throw new UsageError(`${file} is not a model of declarations. Write one into a new file: reeve model > model.json`);
  if (model.version === MODEL_VERSION) return model as Model;
  throw new UsageError(
    `${file} has format version ${model.version}, but this version of Reeve reads format version ${MODEL_VERSION}. Write the file again with this ` +
      `version, or use the version of Reeve that wrote it.`,
  );
}
