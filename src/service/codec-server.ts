import { EncryptingCodec } from '../secrecy/payload-codec.js';
import type { PayloadSettings } from '../secrecy/payload-settings.js';
import type { CodecServer } from './routes/codec.js';

/**
 * The codec server, where payloads are encrypted. `REEVE_CODEC_ORIGINS` has the sites whose pages may ask, apart by commas: that of
 * Temporal's UI. It reads payloads that are not encrypted too, since Temporal's UI sends whatever it shows. Q5
 * @throws TypeError when one of them is not a site
 */
export function codecServerFrom(
  env: NodeJS.ProcessEnv,
  payloads: PayloadSettings,
  namespace: string,
): CodecServer | undefined {
  if (!payloads.keys) return undefined;
  const origins = (env['REEVE_CODEC_ORIGINS'] ?? '').split(',').flatMap((each) => each.trim() || []);
  const wrong = origins.find((each) => !URL.canParse(each) || new URL(each).origin !== each);
  if (wrong !== undefined) {
    throw new TypeError(
      `REEVE_CODEC_ORIGINS has '${wrong}'. Write the addresses of sites, separated by commas: https://temporal.example.com.`,
    );
  }
  return { codec: new EncryptingCodec({ ...payloads, readsClear: true }, namespace), namespace, origins };
}
