import { operationSchema } from '../operation-representation.js';
import type { Links } from './links.js';
import { jsonResponse, type Route } from './route.js';

/** The headers of every answer that names an operation. */
export const FOLLOWED = { 'Operation-Location': 'Where the operation is followed.' };

/** The answers of a call that opens an operation. S4.7 */
export function operationResponses(links: Links): Route['responses'] {
  const later = { ...FOLLOWED, 'Retry-After': 'After how many seconds to look at the operation.' };
  return {
    200: jsonResponse(
      'The operation has ended, at once or within the time that the caller preferred to wait.',
      operationSchema,
      FOLLOWED,
      links,
    ),
    202: jsonResponse('The operation is under way.', operationSchema, later, links),
  };
}
