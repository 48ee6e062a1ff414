import { z } from 'zod';
import { creation } from './creation.js';
import { entityMessage } from './entity-message.js';
import { operationMessage } from './operation-message.js';
import { checker } from './plain.js';
import { raiseRequest, signalOptions } from './request.js';

/** Tells what is wrong with a batch of events, or gives `undefined`. */
export const parseRequests = checker(z.array(raiseRequest).min(1));
/** Tells what is wrong with the options of a plain signal, or gives `undefined`. */
export const parseSignalOptions = checker(signalOptions);
/** Tells what is wrong with a message to an entity, or gives `undefined`. */
export const parseEntityMessage = checker(entityMessage);
/** Tells what is wrong with the argument of an entity's workflow, or gives `undefined`. */
export const parseCreation = checker(creation);
/** Tells what is wrong with a message to an operation, or gives `undefined`. */
export const parseOperationMessage = checker(operationMessage);
