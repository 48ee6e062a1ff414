import { z } from 'zod';
import { creation } from './creation.js';
import { entityMessage } from './entity-message.js';
import { operationMessage } from './operation-message.js';
import { checker } from './plain.js';
import { raiseRequest, signalOptions } from './request.js';

/** What is wrong with a batch of events, or `undefined`. */
export const parseRequests = checker(z.array(raiseRequest).min(1));
/** What is wrong with the options of a plain signal, or `undefined`. */
export const parseSignalOptions = checker(signalOptions);
/** What is wrong with a message to an entity, or `undefined`. */
export const parseEntityMessage = checker(entityMessage);
/** What is wrong with the argument of an entity's workflow, or `undefined`. */
export const parseCreation = checker(creation);
/** What is wrong with a message to an operation, or `undefined`. */
export const parseOperationMessage = checker(operationMessage);
