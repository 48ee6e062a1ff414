import { operationSchema } from '../operation-representation.js';
import type { Links } from './links.js';
import { jsonResponse, type Route } from './route.js';

/** The headers of every answer that names an operation. */
export const FOLLOWED = { 'Operation-Location': 'The address of the operation.' };

/** The answers of a call that opens an operation. S4.7 */
export function operationResponses(links: Links): Route['responses'] {
  const later = { ...FOLLOWED, 'Retry-After': 'The seconds after which to read the operation.' };
  return {
    200: jsonResponse(
      'The operation has ended, at once or within the time that the caller preferred to wait.',
      operationSchema,
      FOLLOWED,
      links,
    ),
    202: jsonResponse('The operation runs.', operationSchema, later, links),
  };
}
