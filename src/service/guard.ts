/*
 * Decides on one request, and writes each decision to the audit trail. S6.5
 *
 * guard.1. Nothing is answered without a decision on the role and on the tenant. A route that forgets it answers 500.
 * guard.2. What belongs to another tenant is answered like what does not exist: with 404, in the same words.
 */
import { OPERATOR } from '../definition/roles.js';
import { ALL_TENANTS } from '../protocol/actor.js';
import type { CallbackQuestion } from '../protocol/callback.js';
import type { DeploymentOrigin } from '../protocol/deployment-origin.js';
import { DISTRIBUTED } from '../protocol/distributed-names.js';
import { DEPLOYMENT, entityId, type EntityRef } from '../protocol/names.js';
import { Rejected } from '../protocol/errors.js';
import type { Rejection } from '../protocol/rejection.js';
import { STEERING_KINDS } from '../temporal/distributed/steering.js';
import type { AuditEntry } from './audit-trail.js';
import { refuseDeployment, refuseDistributed, refuseRole, type Access } from './access.js';
import type { Credentials } from './authentication/authenticator.js';
import type { Declared } from './declared.js';
import { ProblemError } from './problem.js';
import { readableBy, type Readable } from './readable.js';

/** The name of the list that shows the audit trail, and of the one that shows who reads the feed. */
export const AUDIT = 'audit';
export const LISTENERS = 'listeners';
/** The payloads that the codec server encrypts and decrypts: those of all tenants. Q5 */
export const PAYLOADS = 'payloads';
/** The names of the lists of deployments, and of what they consist of. */
export const OF_DEPLOYMENTS: readonly string[] = ['deployments', 'components'];
/** How the builds of the workflow code stand: what runs of all tenants. Q2 */
export const ROLLOUT = 'rollout';
/** The name of the stream about many things. */
export const WATCH = 'watch';

/** These are recorded with their end, since they may be refused. */
const ATTEMPTS: readonly Access['action'][] = ['start', ...STEERING_KINDS];
/** With these codes it may take effect still. */
const UNKNOWN: readonly string[] = ['no_answer', 'try_again', 'outcome_unknown'];

/** The origin of an operation: what opened it, and whose it is. */
export interface OperationOrigin {
  readonly entity: EntityRef;
  readonly event?: string;
  readonly tenant: string | undefined;
}

/** A decision, without the request in which it was made. */
type Decision = Pick<AuditEntry, 'actor' | 'access' | 'decision' | 'reason' | 'rejection'>;

export class Guard {
  readonly credentials: Credentials;
  readonly #declared: Declared;
  readonly #record: (entry: Decision) => void;
  /** The access that was asked for last, and the name that it was asked for by. */
  #access: Access | undefined;
  #name = '';
  /** Tells whether the caller has the role. The tenant may still be another one. */
  #permitted = false;
  /** Tells whether everything about it has been decided. */
  #decided = false;

  constructor(credentials: Credentials, declared: Declared, record: (entry: Decision) => void) {
    this.credentials = credentials;
    this.#declared = declared;
    this.#record = record;
  }

  get decided(): boolean {
    return this.#decided;
  }

  /**
   * Checks the role. For an operation and for a deployment, this happens once it has been found.
   * @throws ProblemError 403
   */
  permit(access: Access): void {
    this.#access = access;
    this.#decided = false;
    this.#permitted = false;
    if (!access.entity && access.operation !== undefined) {
      this.#name = `operation ${access.operation}`;
      return;
    }
    this.#name ||= access.entity ? nameForPeople(access.entity) : '';
    if (access.entity?.type === DEPLOYMENT) {
      if (access.component !== undefined) this.#permitWith(access.component);
      return;
    }
    if (access.distributed !== undefined) {
      this.#take(this.#refuseDistributed(access.distributed, access));
      // It belongs to no tenant, so nothing has to be found first.
      if (!ATTEMPTS.includes(access.action)) this.#allow();
      return;
    }
    const entity = access.entity && this.#declared.entities.get(access.entity.type);
    this.#take(
      entity
        ? refuseRole(entity, this.credentials.actor, access)
        : 'It is about a type that this service does not have.',
    );
  }

  /** Allows what a signed address allows: one answer to one call. A1 */
  answer({ of, operation, call, event }: CallbackQuestion): void {
    const callback = call ?? event;
    this.#name = entityId(of);
    this.#access = {
      ...{ action: 'answer', entity: of },
      ...(callback !== undefined && { callback }),
      ...(operation !== undefined && { operation }),
    };
    this.#permitted = true;
  }

  /** Which entities the caller may read, of all that are declared. */
  get readable(): Readable {
    return readableBy(this.#declared, this.credentials.actor);
  }

  /**
   * Decides on a list. Entities of a type are for those who may read them. What happened is for those who may read any entities,
   * and shows only these. The audit trail, who reads the feed, and the codec server are for operators of all tenants.
   * @throws ProblemError 403
   */
  list(list: string): void {
    this.#access = { action: 'list', list };
    const refusal = this.#refuseList(list);
    this.#take(refusal);
    this.#allow();
  }

  /** Tells whether the caller may read the audit trail. */
  get readsAudit(): boolean {
    const { tenant, roles } = this.credentials.actor;
    return tenant === ALL_TENANTS && roles.includes(OPERATOR);
  }

  /** Tells whether the caller may read how the builds stand: that counts what runs of all tenants. */
  get readsRollout(): boolean {
    return this.credentials.actor.tenant === ALL_TENANTS && this.readable.types.length > 0;
  }

  /** Tells whether the caller may read distributed operations of a type. */
  readsDistributed(type: string): boolean {
    return this.#refuseDistributed(type, { action: 'list' }) === undefined;
  }

  /** Allows what tells the caller about nobody but the caller. */
  self(): void {
    this.#access = { action: 'read', list: 'me' };
    this.#permitted = true;
    this.#allow();
  }

  /** Leaves the decisions to the requests of which this one consists: each is decided on by itself. */
  each(): void {
    this.#access = { action: 'raise' };
    this.#permitted = true;
    this.#allow();
  }

  /** A guard that decides apart from this one, for each of several things that one request asks for. */
  another(): Guard {
    return new Guard(this.credentials, this.#declared, this.#record);
  }

  /** Decides on an entity that was found: whether it is the caller's. @throws ProblemError 404 */
  own(tenant: string | undefined): void {
    this.#belongs(tenant);
    if (this.#permitted) this.#allow();
  }

  /**
   * Decides on an operation that was found, by what opened it: whether it is the caller's, who must have the role as well.
   * @throws ProblemError 403, 404
   */
  operation({ tenant, ...opened }: OperationOrigin): void {
    this.#belongs(tenant);
    if (this.#decided) return;
    const { entity, event } = opened;
    const distributed = entity.type === DISTRIBUTED ? { distributed: event ?? '' } : {};
    this.permit({ ...this.#access!, ...opened, ...distributed });
    if (!ATTEMPTS.includes(this.#access!.action)) this.#allow();
  }

  /**
   * Decides on a deployment that was found, by its component: whether it is the caller's, who must have the role as well.
   * @throws ProblemError 403, 404
   */
  deployment({ component, tenant }: DeploymentOrigin): void {
    this.#belongs(tenant);
    if (this.#decided) return;
    this.#permitWith(component);
    this.#allow();
  }

  /**
   * Leaves the decision to the entity itself, which knows whose it is.
   * @throws ProblemError 403, 404
   */
  async entity<T>(work: Promise<T>): Promise<T> {
    try {
      const answer = await work;
      this.#allow();
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
      if (thrown.code === 'another_tenant') throw this.#hide();
      const { rejection } = thrown;
      if (thrown.code === 'not_allowed') this.#deny(thrown.message, rejection);
      else this.#allow(`The entity rejected it: ${thrown.code}.`, rejection);
      throw thrown;
    }
  }

  /** Carries out a permitted attempt, and records it with its end: with the code where it was refused, so that nothing has changed. `operationOf` tells the operation of the answer. */
  async attempt<T>(work: Promise<T>, operationOf?: (answer: T) => string | undefined): Promise<T> {
    try {
      const answer = await work;
      const operation = operationOf?.(answer);
      if (operation !== undefined) this.#access = { ...this.#access!, operation };
      this.#allow();
      return answer;
    } catch (thrown) {
      const isRefusal = (thrown instanceof ProblemError && thrown.status < 500) || thrown instanceof Rejected;
      const wasRefused = isRefusal && !UNKNOWN.includes(thrown.code);
      this.#allow(wasRefused ? `It was refused: ${thrown.code}.` : undefined);
      throw thrown;
    }
  }

  /** Decides on the tenant for which something is to be created: one's own, or any for those who act for all. @throws ProblemError 403 */
  createFor(tenant: string | undefined): void {
    const { actor } = this.credentials;
    if (tenant === undefined || actor.tenant === ALL_TENANTS || actor.tenant === tenant) return;
    const own = actor.tenant === undefined ? 'for no tenant' : `for the tenant '${actor.tenant}'`;
    this.#take(`${actor.subject} acts ${own}, and cannot create for '${tenant}'. Leave 'tenant' out.`);
  }

  /** The answer where what was asked for does not exist, or is not the caller's. */
  absent(): ProblemError {
    if (this.#access?.action === 'create') {
      const message = `${this.#name} cannot be created: the key is taken. Choose another key.`;
      return new ProblemError('key_taken', message);
    }
    const message = `There is no ${this.#name}. It may have been deleted long ago, or the name may be wrong.`;
    return new ProblemError('absent', message);
  }

  /** Replaces an error by the answer for what is absent, where it would tell something about others' things. */
  conceal(thrown: unknown): unknown {
    const access = this.#access;
    if (!access || !(thrown instanceof Rejected)) return thrown;
    const unowned = !this.#decided && this.credentials.actor.tenant !== ALL_TENANTS;
    const hidden = ['absent', 'unknown_type', ...(unowned ? ['outcome_unknown'] : [])];
    return hidden.includes(thrown.code) ? this.absent() : thrown;
  }

  /** Is called at the end of the request. If it was allowed and failed for another reason, this records that it was allowed. */
  end(): void {
    if (this.#permitted && !this.#decided) this.#allow();
  }

  #refuseList(list: string): string | undefined {
    const { actor } = this.credentials;
    const entity = this.#declared.entities.get(list);
    if (entity) return refuseRole(entity, actor, { action: 'list' });
    if (list === AUDIT || list === LISTENERS || list === PAYLOADS) {
      return this.readsAudit
        ? undefined
        : `It needs the role ${OPERATOR} for all tenants, which ${actor.subject} does not have.`;
    }
    if (list === ROLLOUT) {
      return this.readsRollout
        ? undefined
        : `It needs the right to read entities of all tenants, which ${actor.subject} does not have.`;
    }
    const readsDistributed = [...this.#declared.distributed.keys()].some((type) => this.readsDistributed(type));
    if (list === DISTRIBUTED)
      return readsDistributed ? undefined : `${actor.subject} may read no distributed operations.`;
    const { types, components } = this.readable;
    // Each thing that the stream is about is decided by itself.
    if (list === WATCH && (components.length > 0 || readsDistributed)) return undefined;
    if (OF_DEPLOYMENTS.includes(list)) {
      // Where no component is declared, the list is empty for everyone.
      const readsSome = components.length > 0 || this.#declared.components.size === 0;
      return readsSome ? undefined : `${actor.subject} may read no deployments.`;
    }
    return types.length > 0 || readsDistributed
      ? undefined
      : `${actor.subject} may read no entities, and so not their history.`;
  }

  #refuseDistributed(type: string, access: Pick<Access, 'action' | 'entity'>): string | undefined {
    return refuseDistributed(this.#declared.distributed.get(type), this.credentials.actor, access);
  }

  #permitWith(component: string): void {
    this.#take(refuseDeployment(this.#declared.components.get(component), this.credentials.actor, this.#access!));
  }

  /** @throws ProblemError 403 where something was refused */
  #take(refusal: string | undefined): void {
    if (refusal === undefined) {
      this.#permitted = true;
      return;
    }
    this.#deny(refusal);
    throw new ProblemError('not_allowed', refusal);
  }

  #belongs(tenant: string | undefined): void {
    const mine = this.credentials.actor.tenant;
    if (mine !== ALL_TENANTS && mine !== tenant) throw this.#hide();
  }

  #hide(): ProblemError {
    this.#deny('It belongs to another tenant, or to none.');
    return this.absent();
  }

  /** `reason` says why nothing has come of it, although it was allowed. */
  #allow(reason?: string, rejection?: Rejection): void {
    if (this.#decided) return;
    this.#decided = true;
    const { actor } = this.credentials;
    this.#record({ actor, access: this.#access!, decision: 'allowed', ...why(reason, rejection) });
  }

  #deny(reason: string, rejection?: Rejection): void {
    this.#permitted = false;
    const { actor } = this.credentials;
    this.#record({ actor, access: this.#access!, decision: 'denied', ...why(reason, rejection) });
  }
}

function why(reason: string | undefined, rejection: Rejection | undefined): Pick<AuditEntry, 'reason' | 'rejection'> {
  return { ...(reason !== undefined && { reason }), ...(rejection && { rejection }) };
}

/** An entity, a deployment or an operation over partitions, as an error names it. */
function nameForPeople({ type, key }: EntityRef): string {
  if (type === DEPLOYMENT) return `deployment '${key}'`;
  return type === DISTRIBUTED ? `operation over partitions '${key}'` : entityId({ type, key });
}
