import { messageOf } from '../definition/thrown.js';
import type { ServiceLocation } from '../stack/service.js';
import { connect } from '../temporal/connection.js';
import { missingSearchAttributes, registerSearchAttributes } from '../temporal/search-attributes.js';

/**
 * Registers the search attributes in the namespace, unless they are there. Repeating it does no harm.
 * @throws Error that says what is missing, where the service refuses, as hosted ones do
 */
export async function prepareNamespace({ connectionOptions, namespace }: ServiceLocation): Promise<void> {
  const connection = await connect(connectionOptions);
  try {
    await registerSearchAttributes(connection, namespace);
  } catch (thrown) {
    const missing = await missingSearchAttributes(connection, namespace).catch(() => undefined);
    const names = missing ? Object.keys(missing).join(', ') : 'those that docs/operate/deploy.md lists';
    throw new Error(
      `The search attributes of the namespace ${namespace} cannot be registered: ${messageOf(thrown)}. ` +
        `On a hosted service, an administrator adds them: ${names}.`,
      { cause: thrown },
    );
  } finally {
    await connection.close();
  }
}
